// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the documents of the kinds that a file lists, and writes them back. */
public class Read {
  private interface Codec {
    String copy(String text) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String kind = line.split(" ")[0], type = line.split(" ")[1], folder = kind.replace('-', '_');
      ObjectMapper mapper = new ObjectMapper();
      copy(args, "jsonschema2pojo-java", kind, text -> mapper.writeValueAsString(mapper.readValue(text, Class.forName("jsonschema2pojo." + folder + "." + type))));
      copy(args, "quicktype-java", kind, text -> {
        Class<?> converter = Class.forName("quicktype." + folder + ".Converter");
        Object document = converter.getMethod("fromJsonString", String.class).invoke(null, text);
        for (var m : converter.getMethods()) {
          if (m.getName().equals("toJsonString")) {
            return (String) m.invoke(null, document);
          }
        }
        throw new NoSuchMethodException("toJsonString");
      });
    }
  }

  private static void copy(String[] args, String generator, String kind, Codec codec) throws Exception {
    Path to = Files.createDirectories(Path.of(args[2], generator, kind));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(args[1], kind))) {
      for (Path file : files) {
        try {
          Files.writeString(to.resolve(file.getFileName()), codec.copy(Files.readString(file)));
        } catch (Exception e) {
          Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
          Files.writeString(to.resolve(file.getFileName() + ".error"), cause.toString());
        }
      }
    }
  }
}
