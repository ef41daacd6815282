"""The compiled core: loops over bytes, arrays and C structs, without any policy."""
