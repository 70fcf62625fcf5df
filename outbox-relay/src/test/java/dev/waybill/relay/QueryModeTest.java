package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays whose driver writes parameters into the statement's text, as is common behind poolers. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueryModeTest {
    private static final int MESSAGES = 40;
    private static final String BOTH = "&preferQueryMode=simple&options=-c%20standard_conforming_strings=off";

    @ParameterizedTest
    @ValueSource(strings = {"&preferQueryMode=simple", "&options=-c%20standard_conforming_strings=off"})
    @Tag("long")
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

    @Test
    void a_relay_that_would_hold_other_bodies_than_it_was_given_is_refused_at_its_start(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + BOTH, 6);
                var relay = Relay.builder(pool)
                        .schema(outbox.schema)
                        .destination(OutboxFixture.DESTINATION)
                        .publisher(new RecordingPublisher())
                        .build()) {
            assertThatThrownBy(relay::start).hasMessageContaining("standard_conforming_strings");
        }
    }

    @Test
    void a_look_passes_no_message_where_backslashes_are_escapes(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + BOTH, 6)) {
            var relay =
                    outbox.relay(broker, DSL.using(pool, SQLDialect.POSTGRES)).started();
            for (int i = 0; i < MESSAGES; i++) {
                outbox.append("s" + i, "m" + i);
                relay.run();
            }
            relay.close();
        }
        assertThat(broker.arrived()).hasSize(MESSAGES);
    }
}
