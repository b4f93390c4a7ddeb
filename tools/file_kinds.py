"""What a binary file is, by its first bytes: enough to tell the model why it is not shown."""

_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a BMP image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive, or a document or package in one"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x7fELF", "an ELF program or library"),
    (b"MZ", "a Windows program or library"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program or library"),
    (b"\xca\xfe\xba\xbe", "Java class data or a Mach-O program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OggS", "Ogg sound or film"),
    (b"ID3", "MP3 sound"),
    (b"fLaC", "FLAC sound"),
    (b"\x1aE\xdf\xa3", "Matroska or WebM film"),
    (b"GGUF", "GGUF model weights"),
)


def kind_of_bytes(data: bytes) -> str:
    """Say what the bytes are."""
    if data.startswith(b"RIFF") and data[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return f"{data[8:12].decode().strip()} data"
    if data[4:8] == b"ftyp":
        return "MP4 film or sound"
    if data[257:262] == b"ustar":
        return "a tar archive"
    return next((kind for start, kind in _KINDS if data.startswith(start)), "of unknown kind")
