package dev.waybill.standalone.cli.command;

import java.io.BufferedReader;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;

/** The files of exports, imports and bodies. {@code -} names standard output or input, as {@code /dev/stdout} does. */
public final class Documents {
    private static final Set<String> OUT = Set.of("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");
    private static final Set<String> IN = Set.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    private Documents() {}

    /** Whether the document goes to standard output, so that the summary must not. */
    public static boolean isStandardOutput(Path file) {
        return OUT.contains(file.toString());
    }

    /**
     * Opens a new file with mode 0600 where the file system supports it, a pipe, a device, or standard output. Text is UTF-8;
     * on standard output it is ASCII, with escapes of JSON.
     *
     * @throws IllegalArgumentException if a file exists
     */
    public static Writer create(Path file, PrintWriter out) throws IOException {
        if (isStandardOutput(file)) {
            return new Shared(out);
        }
        if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
            return Files.newBufferedWriter(file, StandardOpenOption.WRITE);
        }
        if (Files.exists(file)) {
            throw new IllegalArgumentException(file + " exists already");
        }
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return Channels.newWriter(Files.newByteChannel(file, options, attributes()), StandardCharsets.UTF_8);
    }

    private static FileAttribute<?>[] attributes() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Lines in UTF-8; malformed bytes fail. */
    public static BufferedReader lines(Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8.newDecoder()));
    }

    public static byte[] bytes(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return in.readAllBytes();
        }
    }

    private static InputStream open(Path file) throws IOException {
        if (IN.contains(file.toString())) {
            return System.in;
        }
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a directory");
        }
        return Files.newInputStream(file);
    }

    /** Standard output, which stays open. A printer keeps its failure for itself. */
    private static final class Shared extends FilterWriter {
        private final PrintWriter printer;

        Shared(PrintWriter printer) {
            super(printer);
            this.printer = printer;
        }

        // The reader's character set is unknown. Beyond ASCII, documents have only texts of JSON.
        @Override
        public void write(int character) throws IOException {
            if (character < 0x80) {
                super.write(character);
            } else {
                String escape = String.format(Locale.ROOT, "\\u%04x", character);
                super.write(escape, 0, escape.length());
            }
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            for (int i = from; i < from + length; i++) {
                write(text.charAt(i));
            }
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            for (int i = from; i < from + length; i++) {
                write(text[i]);
            }
        }

        @Override
        public void close() throws IOException {
            if (Output.isBroken(printer)) {
                throw new IOException("Standard output cannot be written");
            }
        }
    }
}
