package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A relay process under steady load: what lives in its heap after a collection, minute by minute. For docs/operations/sizing.md. */
@ExtendWith(PostgresExtension.class)
@EnabledIfSystemProperty(named = "waybill.soak.minutes", matches = "[0-9]+")
class SoakTest {
    private static final int SESSIONS = 100;

    @TempDir
    private Path directory;

    @Test
    void what_lives_in_the_heap_does_not_grow(TestDatabase database) throws Exception {
        int minutes = Integer.getInteger("waybill.soak.minutes", 1);
        var schema = Program.tables(database);
        var dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        Outbox outbox = Outbox.builder().schema(schema).build();
        try (var bus = EmbeddedServiceBus.builder()
                .journalLimit(1_000)
                .queue("orders", queue -> queue.requiresSession().timeToLive(Duration.ofSeconds(5)))
                .start()) {
            Program program =
                    Program.with(directory, Program.database(database) + """
                    namespace: { main: { connection-string: "%s" } }
                    destination: { orders: { sessions: true } }
                    http: { port: 0, bind: 127.0.0.1 }
                    metrics: { interval: 1s }
                    """.formatted(bus.connectionString()));
            Process relay = program.start(directory.resolve("relay.log"), "run");
            try {
                List<Long> live = new ArrayList<>();
                long number = 0;
                for (int minute = 0; minute < minutes; minute++) {
                    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                    long before = number;
                    while (System.nanoTime() < end) {
                        long first = number;
                        dsl.transaction(tx -> outbox.append(
                                tx.dsl(),
                                IntStream.range(0, SESSIONS)
                                        .mapToObj(i -> OutboxMessage.to("orders")
                                                .session("session-" + i)
                                                .id("m-" + (first + i))
                                                .body(new byte[1024], "application/octet-stream")
                                                .build())
                                        .toList()));
                        number += SESSIONS;
                        Thread.sleep(100);
                    }
                    live.add(liveHeap(relay.pid()));
                    System.out.printf(
                            "minute %d: %d messages, %d KiB live after a full collection%n",
                            minute + 1, number - before, live.get(minute) / 1024);
                }
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(dsl.fetchSingle("select coalesce(sum(pending), 0) from "
                                                + schema.table("outbox_backlog"))
                                        .get(0, Long.class))
                                .isZero());
                assertThat(live).allSatisfy(bytes -> assertThat(bytes).isLessThan(100L << 20));
            } finally {
                relay.destroy();
                assertThat(relay.waitFor()).isZero();
            }
        }
    }

    // The histogram of live objects, for which the JVM collects everything first.
    private static long liveHeap(long pid) throws Exception {
        Process jcmd = new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd", "" + pid, "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        long bytes = 0;
        try (var lines = new Scanner(jcmd.getInputStream(), java.nio.charset.StandardCharsets.UTF_8)) {
            while (lines.hasNextLine()) {
                String line = lines.nextLine();
                if (line.startsWith("Total")) {
                    bytes = Long.parseLong(line.split("\\s+", -1)[2]);
                }
            }
        }
        return bytes;
    }
}
