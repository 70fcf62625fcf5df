package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.topology.Migration.Progress;
import dev.waybill.standalone.topology.Migration.Step;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Migrations while messages are written, sent and handled, by whoever is killed meanwhile. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class MigrationTrafficTest {
    @TempDir
    private Path directory;

    @Test
    @Tag("long")
    void a_migration_that_is_killed_at_every_step_loses_doubles_and_reorders_nothing(TestDatabase database)
            throws Exception {
        try (var traffic = new MigrationTraffic(database, directory)) {
            traffic.relay("one");
            traffic.relay("two");
            traffic.ledger("orders");
            traffic.reader("notes");
            traffic.write();
            traffic.awaitEffectsOf("orders");
            for (Step step : Step.values()) {
                Migration dying = traffic.migration(MigrationTraffic.DECLARED, "orders", new KilledAt(step));

                assertThatThrownBy(dying::run).isInstanceOf(MigrationTraffic.Killed.class);
                if (step == Step.WITHHOLD) {
                    traffic.ledger("orders-2");
                }
                traffic.awaitEffectsOf("orders");
                assertThat(traffic.effects("orders-2")).isZero();
            }

            Result migrated = traffic.migrate("orders", "--json");

            assertThat(migrated.exitCode()).as(migrated.out() + migrated.err()).isZero();
            assertThat(migrated.json().get("pauseMillis").asLong()).isPositive();
            traffic.awaitEffectsOf("orders-2");
            int old = traffic.effects("orders");
            Result again = traffic.migrate("orders");
            assertThat(again.exitCode()).as(again.out() + again.err()).isZero();
            traffic.requireAll();
            assertThat(traffic.effects("orders")).isEqualTo(old);
        }
    }

    @Test
    @Tag("long")
    void a_process_that_is_killed_while_it_waits_for_consumers_leaves_a_pause_that_ends_by_itself(TestDatabase database)
            throws Exception {
        try (var traffic = new MigrationTraffic(database, directory)) {
            traffic.relay("one");
            traffic.append("notes", "n1");
            await().until(() -> traffic.messages("notes") == 1);
            Path out = directory.resolve("out.txt");
            Process process = traffic.program()
                    .start(out, "topology", "migrate", "notes", "--yes", "--reason", "killed", "--by", "alice");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(out).content().contains("waits: notes holds 1 active"));
            traffic.append("notes", "n2");
            process.destroyForcibly().waitFor();

            await().atMost(Duration.ofSeconds(30)).until(() -> traffic.messages("notes") == 2);
            assertThat(traffic.messages("notes-2")).isZero();
            traffic.reader("notes");
            Result next = traffic.migrate("notes");
            traffic.append("notes", "n3");

            assertThat(next.exitCode()).as(next.out() + next.err()).isZero();
            assertThat(next.out()).contains("Nothing was sent for");
            await().until(() -> traffic.messages("notes-2") == 1);
            assertThat(traffic.effects("notes")).isEqualTo(2);
        }
    }

    /** Ends everything before a step, without a word to anybody. */
    private record KilledAt(Step at) implements Progress {
        @Override
        public void step(Step step, String text) {
            if (step == at) {
                throw new MigrationTraffic.Killed();
            }
        }

        @Override
        public void waits(String what) {}

        @Override
        public void made(ChangeResult done) {}

        @Override
        public void switched(Move.Side side, Duration pause) {}
    }
}
