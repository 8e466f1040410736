// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Reads the documents of all kinds below its first argument, and writes them below its second.

#![allow(warnings)]

mod quicktype;
mod typify;

use serde::{Serialize, de::DeserializeOwned};
use std::{env, fs, path::PathBuf};

fn read<T: DeserializeOwned + Serialize>(generator: &str, kind: &str) {
    let args: Vec<String> = env::args().collect();
    let out = PathBuf::from(&args[2]).join(generator).join(kind);
    fs::create_dir_all(&out).unwrap();
    for entry in fs::read_dir(PathBuf::from(&args[1]).join(kind)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = fs::read_to_string(&path).unwrap();
        match serde_json::from_str::<T>(&text) {
            Ok(document) => fs::write(out.join(name), serde_json::to_string(&document).unwrap()).unwrap(),
            Err(e) => fs::write(out.join(name + ".error"), e.to_string()).unwrap(),
        }
    }
}

fn main() {
    // CALLS
}
