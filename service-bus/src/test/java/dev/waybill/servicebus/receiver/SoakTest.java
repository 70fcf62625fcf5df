package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two consumers in processes of their own, one idle, one busy: what they hold, minute by minute. For docs/operations/sizing.md. */
@ExtendWith(PostgresExtension.class)
@EnabledIfSystemProperty(named = "waybill.soak.minutes", matches = "[0-9]+")
class SoakTest {
    private static final int SESSIONS = 200;
    private static final int PER_TURN = 40;

    private long sent;

    /** The resources that a process holds. */
    private record Held(long heap, long threads, long connections) {}

    @Test
    void an_idle_and_a_busy_consumer_hold_no_more_after_a_while_than_at_first(TestDatabase database) throws Exception {
        int minutes = Integer.getInteger("waybill.soak.minutes", 1);
        var schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        var dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        dsl.execute("create table " + schema.table("handled") + " (session text primary key, times bigint not null)");
        try (var bus = EmbeddedServiceBus.builder()
                .journalLimit(1_000)
                .queue("idle", queue -> queue.requiresSession())
                .queue("busy", queue -> queue.requiresSession())
                .start()) {
            Process idle = start(database, bus, "idle");
            Process busy = start(database, bus, "busy");
            try (var sender = new ServiceBusClientBuilder()
                    .connectionString(bus.connectionString())
                    .sender()
                    .queueName("busy")
                    .buildClient()) {
                List<Held> ofIdle = new ArrayList<>();
                List<Held> ofBusy = new ArrayList<>();
                List<Integer> links = new ArrayList<>();
                for (int minute = 1; minute <= minutes; minute++) {
                    send(sender, Duration.ofMinutes(1));
                    ofIdle.add(held(dsl, idle, "idle"));
                    ofBusy.add(held(dsl, busy, "busy"));
                    links.add(bus.connectionCount());
                    System.out.printf(
                            "minute %d: idle %s, busy %s, %d connections to the broker, %d messages sent%n",
                            minute, ofIdle.get(minute - 1), ofBusy.get(minute - 1), bus.connectionCount(), sent);
                }
                await().atMost(Duration.ofMinutes(2)).until(() -> handled(dsl, schema) == sent);
                flat(ofIdle);
                flat(ofBusy);
                assertThat(links.get(minutes - 1)).isLessThanOrEqualTo(links.get(0));
                assertThat(List.of(idle, busy)).allMatch(Process::isAlive);
            } finally {
                idle.destroyForcibly();
                busy.destroyForcibly();
            }
        }
    }

    private static void flat(List<Held> minutes) {
        Held first = minutes.get(0);
        Held last = minutes.get(minutes.size() - 1);
        assertThat(last.heap()).isLessThan(2 * first.heap());
        assertThat(last.connections()).isLessThanOrEqualTo(20);
        // The JVM's own come and go, and pools fill up in the first minutes: a leak shows in the fewest of the
        // later ones.
        int half = minutes.size() / 2;
        long most = threads(minutes.subList(0, Math.max(1, half))).max().orElseThrow();
        long fewest = threads(minutes.subList(half, minutes.size())).min().orElseThrow();
        assertThat(fewest).isLessThanOrEqualTo(most + 2);
    }

    private static LongStream threads(List<Held> minutes) {
        return minutes.stream().mapToLong(Held::threads);
    }

    private void send(ServiceBusSenderClient sender, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            var batch = sender.createMessageBatch();
            for (int i = 0; i < PER_TURN; i++) {
                batch.tryAddMessage(new ServiceBusMessage(new byte[512])
                        .setMessageId("m" + sent)
                        .setSessionId("s" + sent % SESSIONS));
                sent++;
            }
            sender.sendMessages(batch);
            Thread.sleep(100);
        }
    }

    private static Process start(TestDatabase database, EmbeddedServiceBus bus, String queue) throws Exception {
        String url = database.server().jdbcUrl() + (database.server().jdbcUrl().contains("?") ? "&" : "?")
                + "ApplicationName=" + queue;
        return SoakProcess.start(url, database.schema(), bus.connectionString(), queue);
    }

    private static Held held(DSLContext dsl, Process process, String name) throws Exception {
        int connections = dsl.fetchSingle(
                        "select count(*) from pg_stat_activity where application_name = {0}", DSL.val(name))
                .get(0, Integer.class);
        return new Held(SoakProcess.liveHeap(process), SoakProcess.threads(process), connections);
    }

    private static long handled(DSLContext dsl, SchemaName schema) {
        return dsl.fetchSingle("select coalesce(sum(times), 0) from " + schema.table("handled"))
                .get(0, Long.class);
    }
}
