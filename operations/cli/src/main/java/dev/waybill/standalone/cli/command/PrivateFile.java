package dev.waybill.standalone.cli.command;

import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files with message bodies, readable by their owner only. */
public final class PrivateFile {
    private PrivateFile() {}

    /**
     * Opens a new file with mode 0600 where the file system supports it.
     *
     * @throws IllegalArgumentException if the file exists
     */
    public static Writer create(Path file) throws IOException {
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
}
