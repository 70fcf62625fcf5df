package dev.waybill.mistakes;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What the tests of the mistakes share: a service that takes payments of wallets, and the ledger that books them. */
final class Wallets {
    static final String QUEUE = "payments";

    /** A key that may not send. */
    static final String LISTENER = "listener";

    /** Books each payment in the transaction that records it. */
    static final Handler BOOK = (tx, message) -> {
        book(tx, message.id(), message.session().orElseThrow(), message.text());
        return Verdict.done();
    };

    private Wallets() {}

    /** Each test creates the queue as it needs it. */
    static WaybillExtension waybill() {
        return WaybillExtension.with(bus -> bus.accessKey("owner", "o").accessKey(LISTENER, "l", AccessRight.LISTEN))
                .tables(
                        "create table requested (id text primary key)",
                        "create table approved (id text primary key)",
                        "create table wallet (id text primary key, cents bigint not null)",
                        "create table booked (place serial, id text, balance bigint)");
    }

    /** Takes a payment: its row and its message in one transaction. */
    static void pay(TestWaybill waybill, String id, String wallet, String cents) {
        waybill.outbox().inTransaction(tx -> {
            request(tx, id);
            waybill.outbox().append(tx, payment(id, wallet, cents));
        });
    }

    static OutboxMessage payment(String id, String wallet, String cents) {
        return OutboxMessage.to(QUEUE).id(id).session(wallet).text(cents).build();
    }

    static void request(DSLContext tx, String id) {
        tx.execute("insert into requested values ({0})", DSL.val(id));
    }

    static void book(DSLContext tx, String id, String wallet, String cents) {
        tx.execute(
                "with changed as (insert into wallet values ({0}, {1}) on conflict (id) do update"
                        + " set cents = wallet.cents + excluded.cents returning cents)"
                        + " insert into booked (id, balance) select {2}, cents from changed",
                DSL.val(wallet), DSL.val(Long.parseLong(cents)), DSL.val(id));
    }

    static List<String> requested(DataSource dataSource) {
        return dsl(dataSource).fetch("select id from requested order by id").getValues(0, String.class);
    }

    /** In the order in which they were booked. */
    static List<String> booked(DataSource dataSource) {
        return dsl(dataSource).fetch("select id from booked order by place").getValues(0, String.class);
    }

    /** The balance after each booking, in cents. */
    static List<Long> balances(DataSource dataSource) {
        return dsl(dataSource)
                .fetch("select balance from booked order by place")
                .getValues(0, Long.class);
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30));
    }

    static DSLContext dsl(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES);
    }
}
