package dev.waybill.test.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.test.WaybillExtension;
import javax.sql.DataSource;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that protect what sessions share are accused of nothing. */
class RightHandlersSideBySideTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = ProofFixture.extension();

    @Test
    void a_row_that_is_locked_before_it_is_read(DataSource dataSource) throws Exception {
        right(dataSource, (tx, message) -> {
            long cents = tx.fetchSingle("select cents from total for update").get(0, Long.class);
            tx.execute("update total set cents = {0}", DSL.val(cents + ProofFixture.cents(message)));
            return Verdict.done();
        });
    }

    /** As {@code @Version} does: the second is tried again. */
    @Test
    void a_row_that_is_written_only_if_nobody_has_changed_it(DataSource dataSource) throws Exception {
        right(dataSource, (tx, message) -> {
            long cents = tx.fetchSingle("select cents from total").get(0, Long.class);
            int rows = tx.execute(
                    "update total set cents = {0} where cents = {1}",
                    DSL.val(cents + ProofFixture.cents(message)), DSL.val(cents));
            if (rows == 0) {
                throw new IllegalStateException("somebody has changed it");
            }
            return Verdict.done();
        });
    }

    /** Two sessions take the same rows in opposite order: PostgreSQL ends one, which is tried again. */
    @Test
    void a_deadlock_that_is_worth_another_try(DataSource dataSource) throws Exception {
        right(dataSource, (tx, message) -> {
            String own = ProofFixture.wallet(message);
            for (String wallet : new String[] {own, own.equals("w1") ? "w2" : "w1"}) {
                tx.execute("update wallet set cents = cents + 1 where id = {0}", DSL.val(wallet));
            }
            return Verdict.done();
        });
    }

    private static void right(DataSource dataSource, Handler handler) throws Exception {
        ProofReport report = ProofFixture.proof(dataSource, handler).run();
        assertThat(report.faults()).as(report.toString()).isEmpty();
    }
}
