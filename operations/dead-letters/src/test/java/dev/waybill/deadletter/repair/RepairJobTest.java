package dev.waybill.deadletter.repair;

import static dev.waybill.deadletter.StoredLetters.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.StoredLetters;
import dev.waybill.deadletter.repair.RepairJob.Report.Count;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The nightly job of a shop whose image service was down: orders that came with broken image links. */
@ExtendWith(PostgresExtension.class)
class RepairJobTest {
    private StoredLetters stored;
    private Redrives redrives;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        redrives = Redrives.in(database.dataSource(), stored.schema);
        stored.dsl.execute(
                "insert into " + stored.schema.table("outbox_destination") + " (destination) values ({0})",
                DSL.val("images"));
        stored.add("images", "ImageNotFoundException", content("i1", "{\"url\":\"http://old/1.png\"}"));
        stored.add("images", "ImageNotFoundException", content("i2", "{\"url\":\"http://gone/2.png\"}"));
        stored.add("images", "ImageNotFoundException", content("i3", "{\"url\":\"http://odd/3.png\"}"));
        stored.add("images", "TimeoutException", content("i4", "{\"url\":\"http://new/4.png\"}"));
        stored.add("images", "OtherException", content("i5", "{}"));
    }

    @Test
    void a_dry_run_says_what_the_rules_would_decide_and_changes_nothing() {
        var report = job().dryRun();

        assertThat(report.counts())
                .containsEntry("broken image links", new Count(1, 0, 1, 1, 0))
                .containsEntry("time-outs", new Count(0, 1, 0, 0, 0));
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(5);
    }

    @Test
    void the_nightly_job_fixes_redrives_discards_and_leaves() throws InterruptedException {
        var report = job().run();

        assertThat(report.counts()).containsEntry("broken image links", new Count(1, 0, 1, 1, 0));
        assertThat(outboxBodies()).containsExactly("{\"url\":\"http://new/1.png\"}", "{\"url\":\"http://new/4.png\"}");
        assertThat(stored.letters.list(DeadLetterFilter.open(), 0, 10))
                .extracting(letter -> letter.content().messageId())
                .containsExactly("i3", "i5");
        long fixed = stored.all().get(0).id();
        assertThat(stored.letters.history(fixed))
                .extracting(
                        entry -> entry.action() + " by " + entry.instruction().operator())
                .containsExactly("edit by nightly", "redrive by nightly");
    }

    @Test
    void a_job_that_died_between_the_fix_and_the_redrive_is_run_again() throws InterruptedException {
        long first = stored.all().get(0).id();
        stored.letters.edit(first, BrokenLinks::fixed, new AuditContext("nightly", "rule broken image links"));

        job().run();

        assertThat(outboxBodies()).hasSize(2).contains("{\"url\":\"http://new/1.png\"}");
        job().run();
        assertThat(outboxBodies()).hasSize(2);
    }

    @Test
    void a_rule_that_throws_leaves_the_letter_alone_and_no_later_rule_decides() throws InterruptedException {
        var report = job(new Broken(), new Timeouts()).run();

        assertThat(report.counts())
                .containsEntry("broken", new Count(0, 0, 0, 0, 5))
                .containsEntry("time-outs", new Count(0, 0, 0, 0, 0));
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(5);
    }

    @Test
    void a_rule_that_cannot_say_its_letters_stops_no_earlier_rule_and_lets_no_later_one_decide() throws Exception {
        RepairRule lost = new Redriving() {
            @Override
            public DeadLetterFilter matches() {
                throw new IllegalStateException("no file with reasons");
            }
        };

        assertThatThrownBy(() -> job(new Timeouts(), lost, new Redriving()).dryRun())
                .hasRootCauseMessage("no file with reasons");
        assertThatThrownBy(() -> job(new Timeouts(), lost, new Redriving()).run())
                .hasRootCauseMessage("no file with reasons");

        assertThat(outboxBodies()).containsExactly("{\"url\":\"http://new/4.png\"}");
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(4);
    }

    @Test
    @SuppressWarnings("NullAway") // The null is the rule's mistake.
    void a_rule_that_says_nothing_has_failed_and_no_later_one_decides() throws Exception {
        RepairRule silent = new Redriving() {
            @Override
            public Repair decide(DeadLetter letter) {
                return null;
            }
        };

        RepairJob.Report report = job(silent, new Timeouts()).run();

        assertThat(report.counts()).containsEntry("redriving", new Count(0, 0, 0, 0, 5));
        assertThat(stored.letters.count(DeadLetterFilter.open())).isEqualTo(5);
    }

    @Test
    void one_letter_that_cannot_go_is_reported_and_left_without_its_fix_while_the_others_go()
            throws InterruptedException {
        long stuck = stored.add("unserved", "BadException", content("u1", "x"));
        RepairRule append = new RepairRule() {
            @Override
            public String name() {
                return "append zero";
            }

            @Override
            public DeadLetterFilter matches() {
                return DeadLetterFilter.everything();
            }

            @Override
            public Repair decide(DeadLetter letter) {
                String body = new String(letter.content().body(), StandardCharsets.UTF_8);
                return Repair.fix(letter.content().withBody((body + "0").getBytes(StandardCharsets.UTF_8)));
            }
        };

        assertThat(job(append).dryRun().refused()).containsOnlyKeys(stuck);
        for (int night = 1; night <= 3; night++) {
            var report = job(append).run();
            assertThat(report.refused()).containsOnlyKeys(stuck);
            assertThat(report.refused().get(stuck)).contains("'unserved'");
            assertThat(report.counts()).containsEntry("append zero", new Count(night == 1 ? 5 : 0, 0, 0, 0, 1));
        }
        assertThat(outboxBodies()).hasSize(5).allMatch(body -> body.endsWith("}0"));
        DeadLetter left = stored.letters.show(stuck).orElseThrow();
        assertThat(left.content().body()).isEqualTo("x".getBytes(StandardCharsets.UTF_8));
        assertThat(left.lifecycle().version()).isEqualTo(1);
    }

    @Test
    void a_letter_that_is_to_come_back_as_it_is_and_cannot_is_reported() throws InterruptedException {
        long stuck = stored.add("unserved", "TimeoutException", content("u1", "x"));

        var dry = job(new Timeouts()).dryRun();
        var report = job(new Timeouts()).run();

        assertThat(dry.counts()).containsEntry("time-outs", new Count(0, 1, 0, 0, 1));
        assertThat(report).isEqualTo(dry);
        assertThat(report.refused()).containsOnlyKeys(stuck);
        assertThat(outboxBodies()).hasSize(1);
    }

    @Test
    void a_fix_that_was_made_before_the_job_died_is_not_made_again() throws InterruptedException {
        long first = stored.all().get(0).id();
        stored.letters.edit(
                first,
                m -> m.withBody("{\"url\":\"http://old/new/1.png\"}".getBytes(StandardCharsets.UTF_8)),
                new AuditContext("nightly", "rule broken image links"));

        job().run();

        assertThat(outboxBodies()).contains("{\"url\":\"http://old/new/1.png\"}");
    }

    private RepairJob job() {
        return job(new BrokenLinks(), new Timeouts());
    }

    private RepairJob job(RepairRule... rules) {
        return RepairJob.of(stored.letters, redrives, List.of(rules), RedriveRequest.toSource(), "nightly");
    }

    private List<String> outboxBodies() {
        return stored.dsl
                .fetch("select convert_from(payload, 'UTF8') from " + stored.schema.table("outbox_message")
                        + " order by seq")
                .getValues(0, String.class);
    }

    /** Links to the old host are rewritten, those to the host that is gone are given up, others need a person. */
    private static final class BrokenLinks implements RepairRule {
        @Override
        public String name() {
            return "broken image links";
        }

        @Override
        public DeadLetterFilter matches() {
            return DeadLetterFilter.open().entity("images").exceptionType("ImageNotFoundException");
        }

        @Override
        public Repair decide(DeadLetter letter) {
            String body = new String(letter.content().body(), StandardCharsets.UTF_8);
            if (body.contains("http://gone/")) {
                return Repair.discard("the host is gone");
            }
            return body.contains("http://old/") || body.contains("http://new/")
                    ? Repair.fix(fixed(letter.content()))
                    : Repair.leave();
        }

        static dev.waybill.message.MessageContent fixed(dev.waybill.message.MessageContent content) {
            return content.withBody(new String(content.body(), StandardCharsets.UTF_8)
                    .replace("http://old/", "http://new/")
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Letters whose handling only took too long are tried again. */
    private static final class Timeouts implements RepairRule {
        @Override
        public String name() {
            return "time-outs";
        }

        @Override
        public DeadLetterFilter matches() {
            return DeadLetterFilter.open().exceptionType("TimeoutException");
        }

        @Override
        public Repair decide(DeadLetter letter) {
            return Repair.redrive();
        }
    }

    /** Everything is tried again. */
    private static class Redriving implements RepairRule {
        @Override
        public String name() {
            return "redriving";
        }

        @Override
        public DeadLetterFilter matches() {
            return DeadLetterFilter.open();
        }

        @Override
        public Repair decide(DeadLetter letter) {
            return Repair.redrive();
        }
    }

    /** A rule with a bug. */
    private static final class Broken implements RepairRule {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public DeadLetterFilter matches() {
            return DeadLetterFilter.open();
        }

        @Override
        public Repair decide(DeadLetter letter) {
            throw new IllegalStateException("a bug");
        }
    }
}
