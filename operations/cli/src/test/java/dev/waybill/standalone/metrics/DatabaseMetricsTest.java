package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.service.RelayService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Figures of several relays, of dead letters and of consumers, as Prometheus sees them. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class DatabaseMetricsTest {
    private static final Path PAGE = Path.of("../../docs/operations/metrics.md");

    private MonitoredRelay relays;

    @BeforeEach
    void make(TestDatabase database, @TempDir Path directory) throws SQLException {
        relays = new MonitoredRelay(database, directory);
    }

    @AfterEach
    void stop() throws SQLException {
        relays.close();
    }

    @Test
    void a_sum_over_all_relays_counts_each_message_once_also_when_the_one_that_told_ends() throws Exception {
        RelayService first = relays.start("first");
        RelayService second = relays.start("second");
        for (int i = 0; i < 7; i++) {
            relays.append("nowhere", "s", "m" + i);
        }

        awaitSum("waybill_outbox_pending_messages", 7);
        await().until(() ->
                relays.value(second, "waybill_outbox_pending_messages").isEmpty());
        awaitSum("waybill_outbox_pending_messages", 7);
        awaitSum("waybill_outbox_relays_alive", 2);
        awaitSum("waybill_relay_destinations", 2);
        assertThat(relays.value(second, "waybill_outbox_relay_working")).containsExactly(1.0);

        relays.stop(first);
        await().untilAsserted(() -> assertThat(relays.value(second, "waybill_outbox_pending_messages"))
                .contains(7.0));
        awaitSum("waybill_relay_destinations", 2);
    }

    @Test
    @Tag("long")
    void dead_letters_and_their_collectors() throws Exception {
        relays.start("first");
        RelayService collecting = relays.start("second", "[notes]");
        relays.append("notes", "", "m1");
        deadLetter("notes");
        relays.awaitFiring("WaybillDeadLetters", "entity", "notes");

        DeadLetters.in(relays.database.dataSource(), relays.schema)
                .discard(DeadLetterFilter.open(), new AuditContext("ana", "known"));
        relays.awaitQuiet("WaybillDeadLetters", "entity", "notes");
        assertThat(relays.scrape()).anySatisfy(sample -> {
            assertThat(sample.name()).isEqualTo("waybill_dlq_depth_messages");
            assertThat(sample.value()).isZero();
        });

        relays.bus.delete("notes");
        relays.awaitFiring("WaybillCollectorFailing", "database", "main");
        relays.bus.createQueue("notes", queue -> queue);
        relays.awaitQuiet("WaybillCollectorFailing", "database", "main");

        relays.stop(collecting);
        relays.database.execute("update " + relays.schema.table("dead_letter_entity")
                + " set alive_until = now(), drained_at = now() - interval '10 minutes'");
        relays.awaitFiring("WaybillCollectorGone", "database", "main");
        relays.awaitFiring("WaybillCollectorBehind", "database", "main");
        relays.start("third", "[notes]");
        relays.awaitQuiet("WaybillCollectorGone", "database", "main");
        relays.awaitQuiet("WaybillCollectorBehind", "database", "main");
    }

    private void deadLetter(String queue) {
        try (var receiver = relays.clients().receiver().queueName(queue).buildClient()) {
            ServiceBusReceivedMessage message =
                    receiver.receiveMessages(1).stream().findFirst().orElseThrow();
            receiver.deadLetter(message, new DeadLetterOptions().setDeadLetterReason("unreadable"));
        }
    }

    @Test
    @Tag("long")
    void consumers_that_are_gone_and_messages_that_they_have_forgotten() throws Exception {
        relays.start("first");
        consumer().close();
        relays.awaitFiring("WaybillConsumerGone", "consumer", "ledger");
        InboxConsumer again = consumer();
        relays.awaitQuiet("WaybillConsumerGone", "consumer", "ledger");
        again.close();

        String deferrals = relays.schema.table("inbox_deferral");
        relays.database.execute("insert into " + deferrals
                + " (key, consumer, message_id, defer_key, sequence_number, enqueued_at, deferred_at) values"
                + " (gen_random_uuid(), 'ledger', 'm1', 'k', 1, now() - interval '2 days', now() - interval '2 days')");
        relays.awaitFiring("WaybillDeferredForgotten", "consumer", "ledger");
        relays.database.execute("delete from " + deferrals);
        relays.awaitQuiet("WaybillDeferredForgotten", "consumer", "ledger");
    }

    private InboxConsumer consumer() {
        return InboxConsumer.builder(relays.database.dataSource())
                .schema(relays.schema)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(relays::clients, "orders").withSessions())
                .handler((tx, message) -> Verdict.done())
                .build()
                .start();
    }

    @Test
    @Tag("long")
    void the_page_names_exactly_what_is_told_and_the_dashboard_asks_for_nothing_else() throws Exception {
        RelayService relay = relays.start("first", "[notes]");
        relays.append("notes", "", "m1");
        relays.append("orders", "", "no-session");
        consumer().close();
        await().until(() -> !relays.value(relay, "waybill_outbox_alarm").isEmpty());
        await().until(() -> !relays.value(relay, "waybill_inbox_alive").isEmpty());
        await().until(() -> !relays.value(relay, "waybill_outbox_commit_to_ack_seconds_count")
                .isEmpty());
        deadLetter("notes");
        await().until(() -> relays.value(relay, "waybill_dlq_depth_messages").contains(1.0));

        Set<String> told = relays.scrape().stream()
                .map(Sample::name)
                .filter(name -> name.startsWith("waybill_"))
                .map(name -> name.replaceFirst("_(bucket|count|sum|max)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        var written = new TreeSet<String>();
        Matcher names = Pattern.compile("`(waybill_[a-z_]+)").matcher(Files.readString(PAGE));
        while (names.find()) {
            written.add(names.group(1));
        }
        assertThat(written).isEqualTo(told);
        assertThat(relays.scrape())
                .extracting(Sample::name)
                .contains("jvm_gc_max_data_size_bytes", "process_start_time_seconds", "hikaricp_connections_active");

        // A pause is told once there has been one.
        System.gc();
        await().untilAsserted(() ->
                assertThat(Dashboard.open().askedInVain(relays.scrape())).isEmpty());
    }

    private void awaitSum(String metric, double sum) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(relays.scrape().stream()
                                .filter(sample -> sample.name().equals(metric))
                                .mapToDouble(Sample::value)
                                .sum())
                        .isEqualTo(sum));
    }
}
