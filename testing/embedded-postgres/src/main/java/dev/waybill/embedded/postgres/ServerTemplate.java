package dev.waybill.embedded.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stopped server that others are copied from, and the binaries that run it. A copy starts in a third of a second; a
 * server that makes its own files takes three. Two copies are one cluster, so that one can be the other's standby. The
 * template stays in the temporary directory, beside the binaries, for the user's next JVM.
 *
 * @param binaries directory of the executables
 */
record ServerTemplate(DataDirectory directory, Path binaries) {
    /** Tells where the executables are. */
    private static final String BINARIES_FILE = "binaries";

    private static @Nullable ServerTemplate known;

    static synchronized ServerTemplate get() {
        ServerTemplate template = known;
        if (template == null) {
            template = findOrMake();
            known = template;
        }
        return template;
    }

    private static ServerTemplate findOrMake() {
        try {
            Path place = place();
            Optional<ServerTemplate> found = at(place);
            return found.isPresent() ? found.get() : make(place);
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        } catch (SQLException e) {
            throw new IllegalStateException("The embedded PostgreSQL does not say where its binaries are", e);
        }
    }

    private static Path place() {
        String key = EmbeddedBinaries.version() + "-" + System.getProperty("user.name");
        return Path.of(System.getProperty("java.io.tmpdir"), "waybill-postgres-template-" + key);
    }

    // The temporary directory may be everybody's: nothing of another user is run.
    private static Optional<ServerTemplate> at(Path place) throws IOException {
        Path file = place.resolve(BINARIES_FILE);
        if (!Files.isRegularFile(file) || !Files.getOwner(place).getName().equals(System.getProperty("user.name"))) {
            return Optional.empty();
        }
        Path binaries = Path.of(Files.readString(file));
        return Optional.of(new ServerTemplate(new DataDirectory(place), binaries))
                .filter(template -> Files.isExecutable(binaries.resolve("postgres")));
    }

    private static ServerTemplate make(Path place) throws IOException, SQLException {
        var directory = DataDirectory.temporary();
        var builder =
                EmbeddedPostgres.builder().setDataDirectory(directory.data()).setCleanDataDirectory(false);
        // A standby must not have less of anything than its primary had, and that was the template at first.
        ServerProcess.SETTINGS.forEach(builder::setServerConfig);
        Path binaries;
        try (EmbeddedPostgres server = EmbeddedBinaries.start(builder)) {
            binaries = binaries(server);
        }
        Files.writeString(directory.root().resolve(BINARIES_FILE), binaries.toString());
        return new ServerTemplate(moved(directory, place), binaries);
    }

    // Another JVM may have been quicker, or the place is another user's: then the template ends with this JVM.
    private static DataDirectory moved(DataDirectory made, Path place) {
        try {
            return new DataDirectory(Files.move(made.root(), place, StandardCopyOption.ATOMIC_MOVE));
        } catch (IOException e) {
            made.deleteAtExit();
            return made;
        }
    }

    // The library that unpacks the binaries does not tell where to.
    private static Path binaries(EmbeddedPostgres server) throws SQLException {
        try (var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select setting from pg_config where name = 'BINDIR'")) {
            row.next();
            return Path.of(row.getString(1));
        }
    }
}
