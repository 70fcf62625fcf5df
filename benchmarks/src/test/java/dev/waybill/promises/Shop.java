package dev.waybill.promises;

import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What the tests of the promises share: a service that places orders, and one that books them. */
final class Shop {
    static final AuditContext OPERATOR = new AuditContext("ops", "a test");

    /** Books each order in the transaction that records it. */
    static final Handler BOOK = (tx, message) -> {
        book(tx, message.id());
        return Verdict.done();
    };

    private Shop() {}

    static WaybillExtension waybill() {
        return WaybillExtension.with(bus -> bus.queue("orders", QueueOptions::requiresSession)
                        .queue("invoices", QueueOptions::requiresSession))
                .tables(
                        "create table placed (id text primary key deferrable initially deferred)",
                        "create table booked (place serial, id text)");
    }

    /** Places an order: its row and its message in one transaction. */
    static void place(TestWaybill waybill, String id, String customer) {
        waybill.outbox().inTransaction(tx -> placeIn(tx, waybill, id, customer));
    }

    static void placeIn(DSLContext tx, TestWaybill waybill, String id, String customer) {
        tx.execute("insert into placed values ({0})", DSL.val(id));
        waybill.outbox().append(tx, order(id, customer));
    }

    static OutboxMessage order(String id, String customer) {
        return OutboxMessage.to("orders").id(id).session(customer).text(id).build();
    }

    static void book(DSLContext tx, String id) {
        tx.execute("insert into booked (id) values ({0})", DSL.val(id));
    }

    static List<String> placed(DataSource dataSource) {
        return ids(dataSource, "select id from placed order by id");
    }

    /** In the order in which they were booked. */
    static List<String> booked(DataSource dataSource) {
        return ids(dataSource, "select id from booked order by place");
    }

    private static List<String> ids(DataSource dataSource, String query) {
        return DSL.using(dataSource, SQLDialect.POSTGRES).fetch(query).getValues(0, String.class);
    }
}
