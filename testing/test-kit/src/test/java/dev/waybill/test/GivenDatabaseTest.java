package dev.waybill.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database that was there before the tests, in a schema of another name and with a pool of a difficult mode. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GivenDatabaseTest {
    private static final DataSource GIVEN = GivenPool.withoutAutoCommit();

    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue("orders"))
            .on(() -> GIVEN)
            .schema(new SchemaName("messages"))
            .emptied();

    @RepeatedTest(2)
    void each_test_begins_without_messages(TestWaybill waybill) throws Exception {
        waybill.appended().isEmpty();
        waybill.handled("c").isEmpty();

        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1")));
        assertThat(waybill.publish()).isEqualTo(1);
        waybill.consumer("c", "orders", (tx, message) -> Verdict.done())
                .handleAll()
                .hasIds("o1");
        waybill.handled("c").hasIds("o1");
        waybill.transaction(tx -> waybill.outbox().append(tx, order("left behind")));
    }

    @Test
    void an_append_without_a_transaction_is_found_where_the_pool_turns_auto_commit_off(TestWaybill waybill)
            throws Exception {
        try (Connection connection = waybill.dataSource().getConnection()) {
            waybill.outbox().append(connection, order("lost"));
        }

        waybill.appended().isEmpty();
        assertThatThrownBy(waybill::requireAppendsCommitted)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("auto-commit off");
    }

    private static OutboxMessage order(String id) {
        return OutboxMessage.to("orders").id(id).text("x").build();
    }
}
