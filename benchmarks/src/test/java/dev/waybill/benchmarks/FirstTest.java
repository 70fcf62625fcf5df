package dev.waybill.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FirstTest {
    static final Handler LEDGER = (tx, message) -> {
        int cents = Integer.parseInt(message.text().replaceAll("\\D", ""));
        tx.execute(
                "update wallet set cents = cents - ? where id = ?",
                cents,
                message.session().orElseThrow());
        return Verdict.done();
    };

    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(
                    bus -> bus.queue("wallet-tx", QueueOptions::requiresSession))
            .tables(
                    "create table wallet (id text primary key, cents bigint not null)",
                    "insert into wallet values ('w-7', 1000)");

    @Test
    void a_debit_takes_money_once(TestWaybill waybill, Outbox outbox, DataSource dataSource) throws Exception {
        waybill.transaction(tx -> outbox.append(tx, debit("debit-tx-1", 250)));
        waybill.appended().hasIds("debit-tx-1");

        waybill.publish();
        waybill.published("wallet-tx").hasIds("debit-tx-1").inSession("w-7").hasSize(1);

        waybill.consumer("ledger", "wallet-tx", LEDGER).handleAll().hasIds("debit-tx-1");
        waybill.handled("ledger").hasIds("debit-tx-1");
        assertEquals(750, balance(dataSource));
    }

    private static OutboxMessage debit(String id, int cents) {
        return OutboxMessage.to("wallet-tx")
                .session("w-7")
                .id(id)
                .json("{\"cents\": " + cents + "}")
                .build();
    }

    private static long balance(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select cents from wallet where id = 'w-7'")) {
            row.next();
            return row.getLong(1);
        }
    }
}
