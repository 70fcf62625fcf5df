package dev.waybill.embedded.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A stopped server that others are copied from, and the binaries that run it: made once per JVM, gone with it. A copy
 * starts in a third of a second, and two copies are one cluster, so that one can be the other's standby.
 *
 * @param binaries directory of the executables
 */
record ServerTemplate(DataDirectory directory, Path binaries) {
    private static @Nullable ServerTemplate made;

    static synchronized ServerTemplate get() {
        ServerTemplate template = made;
        if (template == null) {
            template = make();
            made = template;
        }
        return template;
    }

    private static ServerTemplate make() {
        try {
            var directory = DataDirectory.create();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(directory)));
            var builder = EmbeddedPostgres.builder()
                    .setDataDirectory(directory.data())
                    .setCleanDataDirectory(false);
            // A standby must not have less of anything than its primary had, and that was the template at first.
            ServerProcess.SETTINGS.forEach(builder::setServerConfig);
            try (EmbeddedPostgres server = builder.start()) {
                return new ServerTemplate(directory, binaries(server));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        } catch (SQLException e) {
            throw new IllegalStateException("The embedded PostgreSQL does not say where its binaries are", e);
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

    private static void deleteQuietly(DataDirectory directory) {
        try {
            directory.delete();
        } catch (IOException e) {
            // The JVM ends, and a temporary directory is all that stays.
        }
    }
}
