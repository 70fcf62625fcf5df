package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.service.RelayService;
import dev.waybill.standalone.servicebus.SessionCounter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a scaler reads from a relay beside a broker and a database. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class ScaleTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path directory;

    @Test
    void sessions_with_messages_are_counted_and_a_broker_that_is_away_never_means_none(TestDatabase database)
            throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService relay = relays.start("one");
            for (String session : new String[] {"a", "a", "A", "b", "c"}) {
                send(relays, session, 1);
            }
            try (var sender = relays.clients().sender().queueName("orders").buildClient()) {
                sender.scheduleMessage(
                        new ServiceBusMessage("later").setSessionId("z"),
                        OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
            }

            assertThat(relays.get(relay, "/scale/sessions?entity=ORDERS").body())
                    .isEqualTo("{\"sessions\":3,\"atLeast\":false}\n");
            assertThat(relays.get(relay, "/scale/destinations").body())
                    .isEqualTo("{\"destinations\":0,\"atLeast\":false}\n");

            relays.bus.close();
            relays.append("orders", "a", "waits");

            await().atMost(PATIENCE).until(() -> {
                var answer = relays.get(relay, "/scale/sessions?entity=orders");
                assertThat(answer.body()).doesNotContain("\"sessions\":0");
                return answer.statusCode() == 503;
            });
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    relays.get(relay, "/scale/destinations").body())
                            .isEqualTo("{\"destinations\":1,\"atLeast\":false}\n"));
        }
    }

    @Test
    void a_walk_is_bounded_and_says_so(TestDatabase database) throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService relay = relays.start("one");
            send(relays, "a", 600);
            send(relays, "b", 400);
            send(relays, "c", 1);

            assertThat(relays.get(relay, "/scale/sessions?entity=orders").body())
                    .isEqualTo("{\"sessions\":2,\"atLeast\":true}\n");
        }
    }

    @Test
    void a_message_that_waits_behind_a_walk_full_of_deferred_ones_never_means_none(TestDatabase database)
            throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService relay = relays.start("one");
            send(relays, "a", SessionCounter.MOST_MESSAGES);
            try (var sessions = relays.clients()
                            .sessionReceiver()
                            .queueName("orders")
                            .buildClient();
                    var receiver = sessions.acceptSession("a")) {
                for (int deferred = 0; deferred < SessionCounter.MOST_MESSAGES; ) {
                    for (var message : receiver.receiveMessages(100, Duration.ofSeconds(5))) {
                        receiver.defer(message);
                        deferred++;
                    }
                }
            }
            assertThat(relays.get(relay, "/scale/sessions?entity=orders").body())
                    .isEqualTo("{\"sessions\":0,\"atLeast\":false}\n");
            send(relays, "b", 1);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(relays.get(relay, "/scale/sessions?entity=orders")
                                    .body())
                            .isEqualTo("{\"sessions\":1,\"atLeast\":true}\n"));
        }
    }

    @Test
    void scalers_that_wait_for_a_silent_broker_leave_threads_to_the_probes(TestDatabase database) throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService relay = relays.start("one");
            relays.bus.suspend();
            var threads = Executors.newFixedThreadPool(64);
            try {
                var answers = IntStream.range(0, 64)
                        .mapToObj(i -> CompletableFuture.supplyAsync(
                                () -> relays.get(relay, "/scale/sessions?entity=orders")
                                        .body(),
                                threads))
                        .toList();

                assertThat(relays.get(relay, "/livez").statusCode()).isEqualTo(200);
                assertThat(answers)
                        .anySatisfy(answer -> assertThat(answer.join()).contains("other questions wait"));
            } finally {
                threads.shutdown();
                relays.bus.resume();
            }
        }
    }

    @Test
    void an_entity_that_is_unknown_or_has_no_sessions_is_refused_with_what_was_meant(TestDatabase database)
            throws Exception {
        try (var relays = new MonitoredRelay(database, directory)) {
            RelayService relay = relays.start("one");

            var wrong = relays.get(relay, "/scale/sessions?entity=ordres");
            assertThat(wrong.statusCode()).isEqualTo(404);
            assertThat(wrong.body()).contains("'ordres'; did you mean 'orders'?");
            assertThat(relays.get(relay, "/scale/sessions?entity=" + "o".repeat(200_000))
                            .body())
                    .hasSizeLessThan(100);
            assertThat(relays.get(relay, "/scale/sessions?entity=notes").statusCode())
                    .isEqualTo(404);
            assertThat(relays.get(relay, "/scale/sessions").body()).contains("?entity=NAME");
        }
    }

    private static void send(MonitoredRelay relays, String session, int count) {
        try (var sender = relays.clients().sender().queueName("orders").buildClient()) {
            IntStream.range(0, count / 200 + 1).forEach(part -> {
                int size = Math.min(200, count - 200 * part);
                if (size > 0) {
                    sender.sendMessages(Collections.nCopies(size, session).stream()
                            .map(each -> new ServiceBusMessage(each).setSessionId(each))
                            .toList());
                }
            });
        }
    }
}
