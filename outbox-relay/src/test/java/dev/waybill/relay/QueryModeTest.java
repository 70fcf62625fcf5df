package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays whose driver writes parameters into the statement's text, as is common behind poolers. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueryModeTest {
    private static final int MESSAGES = 40;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "&preferQueryMode=simple",
                "&options=-c%20standard_conforming_strings=off",
                "&preferQueryMode=simple&options=-c%20standard_conforming_strings=off"
            })
    void no_message_is_passed_unsent_however_the_server_reads_what_the_driver_writes(
            String settings, TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        var ids = new ArrayList<String>();
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + settings, 6);
                var relay = Relay.builder(pool)
                        .schema(outbox.schema)
                        .destination(OutboxFixture.DESTINATION)
                        .publisher(broker)
                        .build()) {
            relay.start();
            // One after the other, so that each is found by a look at lanes that had nothing left.
            for (int i = 0; i < MESSAGES; i++) {
                String id = "m" + i;
                ids.add(id);
                outbox.append("s" + i, id);
                await().until(() -> broker.arrived().contains(id));
            }
        }
        assertThat(broker.arrived()).containsExactlyElementsOf(ids);
    }
}
