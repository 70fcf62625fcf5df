package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Collectors and re-drives in processes of their own, which are killed at every step, one after the other. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class KilledProcessTest {
    private static final int MANY = 300;
    private static final int SESSIONS = 8;
    private static final String NUMBER = "substr(new.message_id, 2)";
    private static final AuditContext WORD = new AuditContext("ada", "fixed in 1.2");

    private DeadLetterFixture fixture;
    private DeadLetters letters;
    private @Nullable Process process;

    @BeforeEach
    void start(TestDatabase database) {
        fixture = new DeadLetterFixture(
                database,
                bus -> bus.queue(
                                "dead",
                                queue -> queue.timeToLive(Duration.ofMinutes(1)).deadLetterOnExpiration())
                        .queue(
                                "wallets",
                                queue -> queue.requiresSession()
                                        .timeToLive(Duration.ofMinutes(1))
                                        .deadLetterOnExpiration())
                        .queue("home", queue -> queue.requiresSession()));
        fixture.served("home");
        letters = DeadLetters.in(database.dataSource(), fixture.schema);
    }

    @AfterEach
    void stop() throws InterruptedException {
        kill();
        fixture.close();
    }

    @Test
    @Tag("long")
    void a_collector_killed_anywhere_loses_nothing_and_stores_nothing_twice() throws Exception {
        fixture.sendMany("dead", MANY, 500);
        fixture.bus.advance(Duration.ofMinutes(2));
        try (var rows = new Gate(fixture, "dead_letter_message", "insert", NUMBER);
                var states = new Gate(fixture, "dead_letter_state", "insert", "new.id")) {
            // Between the messages of a batch and their states.
            states.shut(25);
            collect();
            states.awaitSomebodyAt(25);
            killAndForget();
            states.open(25);
            assertThat(stored()).isBetween(25L - KilledProcess.BATCH, 24L);

            // Among the rows of a batch.
            rows.shut(45);
            collect();
            rows.awaitSomebodyAt(45);
            killAndForget();
            rows.open(45);
            assertThat(stored()).isBetween(1L, 45L);

            // Between the commit and the completions.
            swallowCompletions(FaultPoint.BEFORE_SETTLE);
            long before = fixture.deadLettersIn("dead");
            killWhen(() -> stored() >= 100, rows, 120);
            assertThat(fixture.deadLettersIn("dead")).isEqualTo(before);

            // Before it hears that they are completed.
            swallowCompletions(FaultPoint.SETTLED_BEFORE_ACK);
            killWhen(() -> stored() >= 160 && fixture.deadLettersIn("dead") < before, rows, 180);

            // Wherever it happens to be.
            fixture.bus.faults().clear();
            killWhen(() -> stored() >= 200, rows, 230);
            killWhen(() -> stored() >= 250, rows, 280);
            assertThat(fixture.deadLettersIn("dead")).isPositive();
        }
        collect();
        await().atMost(Duration.ofSeconds(90)).until(() -> fixture.deadLettersIn("dead") == 0);

        assertThat(fixture.storedIds())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MANY).mapToObj(i -> "m" + i).toList());
        assertThat(letters.collectors())
                .singleElement()
                .returns((long) MANY, CollectorStatus::collected)
                .returns(null, CollectorStatus::failure);
    }

    @Test
    @Tag("long")
    void a_redrive_killed_anywhere_redrives_each_message_once() throws Exception {
        dieInSessions();
        fixture.collect(fixture.deadLettersOf("wallets"));
        Redrives redrives = Redrives.in(fixture.database.dataSource(), fixture.schema);
        long run = redrives.begin(DeadLetterFilter.open(), RedriveRequest.toEntity("home"), WORD);
        try (var relay = relay();
                var copies = new Gate(fixture, "outbox_message", "insert", NUMBER);
                var audit = new Gate(fixture, "operator_action", "insert", "split_part(new.subject, ' ', 1)::bigint");
                var position = new Gate(fixture, "dead_letter_redrive", "update", "new.position")) {
            assertThat(relay).isNotNull();
            // Among the copies, before the rows are closed and after it, and wherever it happens to be.
            killAt(copies, 33, run);
            killAt(audit, letterOf("m90"), run);
            killAt(position, 140, run);
            position.shut(MANY - KilledProcess.BATCH);
            process = KilledProcess.redrive(fixture, run);
            await().atMost(Duration.ofSeconds(90)).until(() -> positionOf(redrives, run) >= 180);
            kill();
            assertThat(positionOf(redrives, run)).isLessThan(MANY);
            position.open(MANY - KilledProcess.BATCH);

            process = KilledProcess.redrive(fixture, run);
            assertThat(process.waitFor()).isZero();

            await().atMost(Duration.ofSeconds(90))
                    .until(() -> fixture.bus.inspect("home").active() >= MANY);
        }
        assertRedrivenOnce(run, redrives.show(run).orElseThrow());
    }

    private void assertRedrivenOnce(long run, RedriveRun finished) {
        assertThat(finished)
                .returns(RedriveRun.State.DONE, RedriveRun::state)
                .returns(MANY, RedriveRun::position)
                .returns(MANY, RedriveRun::redriven);
        assertThat(letters.count(DeadLetterFilter.everything().in(DeadLetter.State.REDRIVEN)))
                .isEqualTo(MANY);
        letters.forEach(
                DeadLetterFilter.everything(),
                letter -> assertThat(letters.history(letter.id()))
                        .singleElement()
                        .returns("redrive", DeadLetter.AuditEntry::action)
                        .returns(run, DeadLetter.AuditEntry::redrive));
        List<Stored> arrived = fixture.bus.journal("home").stored();
        for (int session = 0; session < SESSIONS; session++) {
            int number = session;
            assertThat(arrived)
                    .filteredOn(stored -> ("s" + number).equals(stored.sessionId()))
                    .extracting(KilledProcessTest::logicalId)
                    .containsExactlyElementsOf(IntStream.range(0, MANY)
                            .filter(i -> i % SESSIONS == number)
                            .mapToObj(i -> "m" + i)
                            .toList());
        }
    }

    private void killAt(Gate gate, long number, long run) throws Exception {
        gate.shut(number);
        process = KilledProcess.redrive(fixture, run);
        gate.awaitSomebodyAt(number);
        kill();
        gate.open(number);
    }

    /** Kills a collector on a sign; it comes no further than the gate. */
    private void killWhen(Callable<Boolean> sign, Gate rows, int end) throws Exception {
        rows.shut(end);
        collect();
        await().atMost(Duration.ofSeconds(90)).until(sign);
        killAndForget();
        rows.open(end);
    }

    private void swallowCompletions(FaultPoint point) {
        fixture.bus.faults().clear();
        fixture.bus.faults().at(point).operation("completed").then(FaultAction.swallow());
    }

    private void collect() throws Exception {
        process = KilledProcess.collector(fixture);
    }

    private void kill() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Kills the collector, and lets the broker give to another what it had locked. */
    private void killAndForget() throws InterruptedException {
        assertThat(Objects.requireNonNull(process).isAlive()).isTrue();
        kill();
        await().until(() -> fixture.bus.connectionCount() == 0);
        fixture.bus.advance(Duration.ofMinutes(2));
    }

    private long stored() {
        return letters.count(DeadLetterFilter.everything());
    }

    private long letterOf(String messageId) {
        return letters.list(DeadLetterFilter.everything().messageId(messageId), 0, 1)
                .get(0)
                .id();
    }

    private static int positionOf(Redrives redrives, long run) {
        return redrives.show(run).orElseThrow().position();
    }

    private static String logicalId(Stored stored) {
        String id = Objects.requireNonNull(stored.messageId());
        return id.substring(0, id.indexOf('~'));
    }

    private void dieInSessions() {
        try (var sender = fixture.client().sender().queueName("wallets").buildClient()) {
            var messages = new ArrayList<ServiceBusMessage>();
            for (int i = 0; i < MANY; i++) {
                messages.add(DeadLetterFixture.message("m" + i, "body").setSessionId("s" + i % SESSIONS));
            }
            sender.sendMessages(messages);
        }
        fixture.bus.advance(Duration.ofMinutes(2));
    }

    private Relay relay() {
        return Relay.builder(fixture.database.dataSource())
                .schema(fixture.schema)
                .destination("home")
                .publisher(ServiceBusPublisher.of(fixture::client))
                .build()
                .start();
    }
}
