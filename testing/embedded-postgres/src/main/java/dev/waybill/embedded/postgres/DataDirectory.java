package dev.waybill.embedded.postgres;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of one server, in a directory of their own. It lies in the directory that the system property {@value
 * #PLACE} names, if that is there and has 2 GiB left, and in the temporary directory otherwise. A file system in memory
 * takes a third off the time of tests that make and drop many tables.
 */
record DataDirectory(Path root) {
    private static final String PLACE = "waybill.postgres.directory";
    private static final String PREFIX = "waybill-postgres";
    private static final long LEAST_SPACE = 2L << 30;

    private static final Set<String> OF_THE_PROCESS = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    /** A copy needs these directories, and nothing of what is in them; the log it receives from the server. */
    private static final Set<String> OF_THE_RUN = Set.of(
            "pg_dynshmem",
            "pg_notify",
            "pg_replslot",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans",
            "pg_wal");

    static DataDirectory create() throws IOException {
        Path place = place();
        return place == null ? temporary() : new DataDirectory(Files.createTempDirectory(place, PREFIX));
    }

    /** In the temporary directory, whatever is named: for files that stay. */
    static DataDirectory temporary() throws IOException {
        return new DataDirectory(Files.createTempDirectory(PREFIX));
    }

    private static @Nullable Path place() throws IOException {
        String named = System.getProperty(PLACE);
        if (named == null) {
            return null;
        }
        Path place = Path.of(named);
        boolean fits = Files.isWritable(place) && Files.getFileStore(place).getUsableSpace() >= LEAST_SPACE;
        return fits ? place : null;
    }

    Path data() {
        return root.resolve("data");
    }

    Path log() {
        return root.resolve("server.log");
    }

    /** A copy of a server that is stopped. */
    DataDirectory copy() throws IOException {
        return copy(Set.of());
    }

    /** A copy of a server that runs, to be made while it knows of a backup. */
    DataDirectory copyOfRunning() throws IOException {
        return copy(OF_THE_RUN);
    }

    private DataDirectory copy(Set<String> leftEmpty) throws IOException {
        DataDirectory copy = create();
        Path from = data();
        Path to = copy.data();
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Path relative = from.relativize(directory);
                Files.copy(directory, to.resolve(relative), COPY_ATTRIBUTES);
                return leftEmpty.contains(relative.toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!OF_THE_PROCESS.contains(file.getFileName().toString())) {
                    copyIfThere(file, to.resolve(from.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }

            // A server that runs removes files meanwhile; what they held is in its log.
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return copy;
    }

    private static void copyIfThere(Path from, Path to) throws IOException {
        try {
            Files.copy(from, to, COPY_ATTRIBUTES);
        } catch (NoSuchFileException e) {
            Files.deleteIfExists(to);
        }
    }

    /** Makes a server that has not started yet a standby. */
    void follow(String primaryConnection) throws IOException {
        Files.createFile(data().resolve("standby.signal"));
        Files.writeString(
                data().resolve("postgresql.auto.conf"),
                "primary_conninfo = '" + primaryConnection + "'\n",
                StandardOpenOption.APPEND);
    }

    /** Deletes the files with the JVM, if nobody did before. */
    void deleteAtExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                delete();
            } catch (IOException e) {
                // The JVM ends, and a temporary directory is all that stays.
            }
        }));
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
