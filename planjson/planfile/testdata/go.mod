module testdata
