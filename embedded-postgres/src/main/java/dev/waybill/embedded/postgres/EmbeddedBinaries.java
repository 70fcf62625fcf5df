package dev.waybill.embedded.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/** Starts the binaries that the class path brings for this platform. */
final class EmbeddedBinaries {
    /** A machine that is busy takes longer than the ten seconds that are the library's patience. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private EmbeddedBinaries() {}

    static EmbeddedPostgres start(Map<String, String> settings) {
        var builder = EmbeddedPostgres.builder()
                .setPGStartupWait(PATIENCE)
                .setServerConfig("max_connections", "200")
                .setServerConfig("max_prepared_transactions", "10");
        settings.forEach(builder::setServerConfig);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
        }
    }
}
