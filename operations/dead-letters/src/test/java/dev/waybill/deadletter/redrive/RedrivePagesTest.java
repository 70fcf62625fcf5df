package dev.waybill.deadletter.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.StoredLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs over more, and over fewer, messages than one page. */
@ExtendWith(PostgresExtension.class)
class RedrivePagesTest {
    private static final AuditContext WORD = new AuditContext("ada", "all of them");

    private StoredLetters stored;
    private Redrives redrives;

    @BeforeEach
    void start(TestDatabase database) {
        stored = new StoredLetters(database);
        stored.execute("insert into $schema.outbox_destination (destination) values ('orders')");
        redrives = Redrives.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES), stored.schema, 300);
    }

    @Test
    void a_run_over_nothing_is_done_at_once() throws Exception {
        RedriveRun run = redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        assertThat(run).returns(0, RedriveRun::items).returns(RedriveRun.State.DONE, RedriveRun::state);
    }

    @Test
    void a_run_at_a_rate_goes_on_when_the_clock_of_the_server_was_set_back() {
        stored.add("m1", "body");
        long run = redrives.begin(
                DeadLetterFilter.open(), RedriveRequest.toSource().withRate(10), WORD);
        // As after a promotion of a server whose clock is behind.
        stored.execute("update $schema.dead_letter_redrive set paced_at = clock_timestamp() + interval '1 hour'");

        assertThat(redrives.step(run).redriven()).isEqualTo(1);
    }

    @Test
    @Tag("long")
    void a_step_never_skips_or_repeats_where_a_page_ends() throws Exception {
        int many = 2 * RedrivePages.SIZE + 100;
        IntStream.range(0, many).forEach(i -> stored.add("m" + i, "body"));

        RedriveRun run = redrives.redrive(
                DeadLetterFilter.open(), RedriveRequest.toSource().withCanary(RedrivePages.SIZE + 50), WORD);
        assertThat(run)
                .returns(RedriveRun.State.PAUSED, RedriveRun::state)
                .returns(RedrivePages.SIZE + 50, RedriveRun::redriven);
        redrives.resume(run.id(), WORD);
        run = redrives.finish(run.id());

        assertThat(run).returns(many, RedriveRun::redriven).returns(RedriveRun.State.DONE, RedriveRun::state);
        assertThat(stored.dsl
                        .fetch("select message_id from " + stored.schema.table("outbox_message") + " order by seq")
                        .getValues(0, String.class))
                .containsExactlyElementsOf(
                        IntStream.range(0, many).mapToObj(i -> "m" + i).toList());
    }
}
