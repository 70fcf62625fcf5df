package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.WakeChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Notifications of writers in other processes reach a relay, also after its connection was lost. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class WakeListenerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicInteger woken = new AtomicInteger();
    private OutboxFixture outbox;
    private String channel;
    private WakeListener listener;

    @BeforeEach
    void listen(TestDatabase database) {
        outbox = new OutboxFixture(database);
        channel = WakeChannel.of(outbox.schema);
        listener = new WakeListener(outbox.dsl, outbox.schema, woken::incrementAndGet);
        listener.start();
        awaitListening();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @Test
    void a_notification_of_another_process_wakes_the_relay() {
        notifyRelays();

        await().atMost(PATIENCE).until(() -> woken.get() > 0);
    }

    @Test
    void a_lost_connection_is_replaced_and_notifications_come_again() {
        assertThat(terminateListeners()).isEqualTo(1);

        awaitListening();
        notifyRelays();

        await().atMost(PATIENCE).until(() -> woken.get() > 0);
    }

    @Test
    void a_listener_that_is_closed_leaves_nobody_listening_and_wakes_nobody() {
        listener.close();

        await().atMost(PATIENCE).until(() -> listeners() == 0);
        notifyRelays();
        assertThat(woken).hasValue(0);
    }

    private void notifyRelays() {
        outbox.dsl.fetch("select pg_notify({0}, '')", DSL.val(channel));
    }

    private void awaitListening() {
        await().atMost(PATIENCE).until(() -> listeners() == 1);
    }

    private int listeners() {
        return outbox.dsl
                .fetchSingle("select count(*)::int from pg_stat_activity where query = {0}", DSL.val(listen()))
                .get(0, Integer.class);
    }

    private int terminateListeners() {
        return outbox.dsl
                .fetchSingle(
                        "select count(pg_terminate_backend(pid))::int from pg_stat_activity where query = {0}",
                        DSL.val(listen()))
                .get(0, Integer.class);
    }

    private String listen() {
        return "listen \"" + channel + '"';
    }
}
