package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.topology.AdministrationProxy.Fate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Crashes, conflicts, lost replies and careless words. */
@Timeout(120)
class TopologyApplySafetyTest {
    private static final String DECLARED = """
            inbound: { forward-to: orders }
            orders: {}
            events:
              type: topic
              subscription: { fraud: { rule: { big: "amount > 100", odd: "kind = 'odd'" } }, all: {} }
            """;

    @TempDir
    private Path directory;

    private ApplyBus azure;

    @BeforeEach
    void start() throws IOException {
        azure = new ApplyBus(directory);
    }

    @AfterEach
    void stop() {
        azure.close();
    }

    @Test
    @Tag("long")
    void an_apply_that_is_killed_in_the_middle_is_completed_by_the_next() throws Exception {
        var reached = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        azure.proxy.onWrite(write -> {
            if (write.path().endsWith("/rules/odd") && release.getCount() > 0) {
                reached.countDown();
                await(release);
            }
            return Fate.REACHES;
        });
        Program program = azure.program(DECLARED);
        Process process = program.start(
                directory.resolve("out.txt"), "topology", "apply", "--yes", "--reason", "killed", "--by", "alice");
        assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
        process.destroyForcibly().waitFor();
        assertThat(directory.resolve("out.txt"))
                .content()
                .contains("Topology: created events in the namespace 'main': topic, by alice: killed");
        azure.proxy.onWrite(write -> Fate.REACHES);

        assertThat(azure.program(DECLARED).run("topology", "check").exitCode()).isPositive();
        Result next = azure.apply(DECLARED);
        release.countDown();

        assertThat(next.exitCode()).as(next.out() + next.err()).isZero();
        assertThat(azure.program(DECLARED).run("topology", "check").exitCode()).isZero();
    }

    @Test
    @Tag("long")
    void two_at_once_end_with_what_is_declared() throws Exception {
        var both = new CyclicBarrier(2);
        var first = new AtomicInteger();
        azure.proxy.onWrite(write -> {
            if (first.getAndIncrement() < 2) {
                await(both);
            }
            return Fate.REACHES;
        });
        var runs = List.of(
                CompletableFuture.supplyAsync(() -> azure.apply(DECLARED)),
                CompletableFuture.supplyAsync(() -> azure.apply(DECLARED)));

        for (CompletableFuture<Result> run : runs) {
            Result result = run.get(60, TimeUnit.SECONDS);
            assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        }
        assertThat(azure.program(DECLARED).run("topology", "check").exitCode()).isZero();
    }

    @Test
    void a_conflict_with_another_change_is_read_again_and_tried_again() {
        azure.portal.createQueue("orders", new CreateQueueOptions().setDuplicateDetectionRequired(true));
        var once = new AtomicBoolean(true);
        azure.proxy.onWrite(write -> once.getAndSet(false) ? Fate.CONFLICT : Fate.REACHES);

        Result applied = azure.apply("orders: { max-delivery-count: 3 }");

        assertThat(applied.exitCode()).as(applied.out()).isZero();
        assertThat(azure.proxy.writes()).hasSize(2);
        assertThat(azure.portal.getQueue("orders").getMaxDeliveryCount()).isEqualTo(3);
    }

    @Test
    void a_creation_whose_reply_is_lost_is_done_and_not_failed() {
        var once = new AtomicBoolean(true);
        azure.proxy.onWrite(write -> once.getAndSet(false) ? Fate.REPLY_LOST : Fate.REACHES);

        Result applied = azure.apply("orders: {}");

        assertThat(applied.exitCode()).as(applied.out() + applied.err()).isZero();
        assertThat(azure.portal.getQueueExists("orders")).isTrue();
    }

    @Test
    @Tag("long")
    void an_entity_that_somebody_makes_otherwise_meanwhile_is_no_success() {
        azure.proxy.onWrite(write -> {
            if (!azure.portal.getQueueExists("orders")) {
                azure.portal.createQueue(
                        "orders",
                        new CreateQueueOptions()
                                .setSessionRequired(true)
                                .setDefaultMessageTimeToLive(Duration.ofDays(14)));
            }
            return Fate.REACHES;
        });

        Result applied = azure.apply("orders: { duplicate-window: 0, dead-letter-on-expiry: false }");

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(1);
        assertThat(applied.out()).contains("somebody has made it with sessions on");
    }

    @Test
    void a_dry_run_and_an_apply_that_nobody_confirms_change_nothing() {
        Program program = azure.program(DECLARED);

        Result dry = program.run("topology", "apply", "--dry-run");
        assertThat(dry.exitCode()).isEqualTo(10);
        assertThat(dry.out()).contains("create", "events/Subscriptions/fraud");
        Result unconfirmed = program.run("topology", "apply", "--reason", "test");
        assertThat(unconfirmed.exitCode()).isEqualTo(6);
        assertThat(unconfirmed.out()).isEqualTo(dry.out());
        assertThat(program.run("topology", "apply", "--yes").exitCode()).isEqualTo(2);
        assertThat(azure.proxy.writes()).isEmpty();
    }

    @Test
    @Tag("long")
    void what_is_not_declared_is_listed_and_goes_only_by_name_and_only_when_it_is_empty() {
        azure.portal.createQueue("old");
        azure.portal.createTopic("events");
        azure.portal.createSubscription("events", "old");
        azure.send("old");
        azure.send("events");
        String declared = "events: { type: topic, duplicate-window: 0 }";

        Result listed = azure.apply(declared);
        assertThat(listed.exitCode()).isZero();
        assertThat(listed.out()).contains("leave").contains("events/Subscriptions/old");
        Result full = azure.apply(declared, "--delete", "old", "--delete", "events/Subscriptions/old");
        assertThat(full.exitCode()).isEqualTo(20);
        assertThat(full.out()).contains("holds 1 messages");
        assertThat(azure.proxy.writes()).isEmpty();
        Result deleted =
                azure.apply(declared, "--delete", "old", "--delete", "events/Subscriptions/old", "--with-messages");
        assertThat(deleted.exitCode()).as(deleted.out()).isZero();
        assertThat(azure.portal.getQueueExists("old")).isFalse();
        assertThat(azure.portal.getSubscriptionExists("events", "old")).isFalse();
        assertThat(azure.apply(declared, "--delete", "old").exitCode()).isZero();
    }

    @Test
    void a_topic_holds_what_its_subscriptions_hold() {
        azure.portal.createTopic("old");
        azure.portal.createSubscription("old", "all");
        azure.send("old");

        Result refused = azure.apply("orders: {}", "--delete", "old");

        assertThat(refused.exitCode()).as(refused.out()).isEqualTo(20);
        assertThat(azure.portal.getTopicExists("old")).isTrue();
        assertThat(azure.apply("orders: {}", "--delete", "old", "--with-messages")
                        .exitCode())
                .isZero();
        assertThat(azure.portal.getTopicExists("old")).isFalse();
    }

    @Test
    void a_message_that_comes_after_the_plan_saves_its_queue() {
        azure.portal.createQueue("old");
        azure.proxy.onWrite(write -> {
            azure.send("old");
            return Fate.REACHES;
        });

        Result applied = azure.apply("orders: {}", "--delete", "old");

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(1);
        assertThat(applied.out()).contains("created orders", "failed old", "it holds 1 messages by now");
        assertThat(azure.portal.getQueueExists("old")).isTrue();
    }

    @Test
    void a_queue_that_cannot_be_asked_any_more_is_not_taken_for_gone() {
        azure.portal.createQueue("old");
        azure.proxy.onWrite(write -> {
            azure.proxy.reading(body -> body.contains("<title type=\"text\">old<") ? "broken" : body);
            return Fate.REACHES;
        });

        Result applied = azure.apply("orders: {}", "--delete", "old");

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(5);
        assertThat(applied.out()).contains("unreached old");
        assertThat(azure.portal.getQueueExists("old")).isTrue();
    }

    @Test
    void where_settings_may_not_be_read_nothing_is_written() {
        azure.portal.createQueue("old");
        Result applied = azure.program("{}\n")
                .run(
                        "topology",
                        "apply",
                        "--yes",
                        "--reason",
                        "x",
                        "--delete",
                        "old",
                        "--set",
                        "namespace.main.administration=false");

        assertThat(applied.exitCode()).as(applied.out() + applied.err()).isEqualTo(1);
        assertThat(azure.proxy.writes()).isEmpty();
    }

    @Test
    @Tag("long")
    void what_is_declared_is_never_deleted() {
        azure.apply(DECLARED);
        for (String declared : List.of(
                "orders", "ORDERS", "events", "events/Subscriptions/fraud", "events/Subscriptions/fraud/Rules/big")) {
            Result refused = azure.apply(DECLARED, "--delete", declared, "--with-messages");
            assertThat(refused.exitCode()).as(declared).isEqualTo(2);
            assertThat(refused.err()).contains("is declared");
        }
        Result target = azure.apply("inbound: { forward-to: orders }", "--delete", "orders");
        assertThat(target.exitCode()).isEqualTo(2);
    }

    @Test
    void a_namespace_that_does_not_answer_is_told_by_its_own_exit_code() {
        Program program = azure.program(DECLARED);
        azure.proxy.close();

        Result applied = program.run("topology", "apply", "--yes", "--reason", "test");

        assertThat(applied.exitCode()).as(applied.out()).isEqualTo(5);
        assertThat(applied.out()).contains("unknown");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
