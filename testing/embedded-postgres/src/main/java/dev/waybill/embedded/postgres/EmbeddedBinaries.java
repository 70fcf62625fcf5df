package dev.waybill.embedded.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the binaries that the class path brings for this platform. */
final class EmbeddedBinaries {
    /** A machine that is busy takes longer than the ten seconds that are the library's patience. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private EmbeddedBinaries() {}

    /** Tells the binaries of the class path from those of another release. */
    static String version() {
        String archives = Stream.of("linux-x86_64", "linux-arm_64", "darwin-x86_64", "darwin-arm_64")
                .map(platform -> EmbeddedPostgres.class.getResource("/postgres-" + platform + ".txz"))
                .filter(Objects::nonNull)
                .map(URL::toString)
                .collect(Collectors.joining());
        return Integer.toHexString(archives.hashCode());
    }

    static EmbeddedPostgres start(EmbeddedPostgres.Builder builder) throws IOException {
        return builder.setPGStartupWait(PATIENCE).start();
    }

    /** A server of its own, from a copy of the template's files. Stopping it deletes them. */
    static Running start(Map<String, String> settings) {
        try {
            DataDirectory directory = ServerTemplate.get().directory().copy();
            var builder = EmbeddedPostgres.builder()
                    .setDataDirectory(directory.data())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("max_prepared_transactions", "10")
                    .setServerConfig("full_page_writes", "off");
            settings.forEach(builder::setServerConfig);
            return new Running(start(builder), directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        }
    }

    /** A server that runs. */
    record Running(EmbeddedPostgres server, DataDirectory directory) {
        String jdbcUrl() {
            return server.getJdbcUrl("postgres", "postgres");
        }

        void stop() throws IOException {
            server.close();
            directory.delete();
        }

        void stopQuietly() {
            try {
                stop();
            } catch (IOException e) {
                // The JVM ends, and a temporary directory is all that stays.
            }
        }
    }
}
