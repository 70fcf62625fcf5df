package dev.waybill.embedded.postgres;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of one server, in a temporary directory of their own. */
record DataDirectory(Path root) {
    private static final Set<String> OF_THE_PROCESS = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    static DataDirectory create() throws IOException {
        return new DataDirectory(Files.createTempDirectory("waybill-postgres"));
    }

    Path data() {
        return root.resolve("data");
    }

    Path log() {
        return root.resolve("server.log");
    }

    /** A copy of a server that is stopped. */
    DataDirectory copy() throws IOException {
        DataDirectory copy = create();
        Path from = data();
        Path to = copy.data();
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.copy(directory, to.resolve(from.relativize(directory)), COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!OF_THE_PROCESS.contains(file.getFileName().toString())) {
                    Files.copy(file, to.resolve(from.relativize(file)), COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return copy;
    }

    /** Makes a server that has not started yet a standby. */
    void follow(String primaryConnection) throws IOException {
        Files.createFile(data().resolve("standby.signal"));
        Files.writeString(
                data().resolve("postgresql.auto.conf"),
                "primary_conninfo = '" + primaryConnection + "'\n",
                StandardOpenOption.APPEND);
    }

    void delete() throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            // A process of the server that is just ending may still remove its own files.
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
