package dev.waybill.walletforge.demo.serve;

import dev.waybill.walletforge.installation.Installation;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * What the page shows, from the tables alone.
 *
 * <p>Payments of a wallet are booked in order. So a payment that is not booked although a later one of its wallet is, is lost,
 * unless it was poisoned and waits for the night; and an entry behind one of a later payment is out of order.
 */
final class LiveFigures {
    private final Installation installation;
    private final String jdbcUrl;
    private final String counters;

    LiveFigures(Installation installation, String jdbcUrl) {
        this.installation = installation;
        this.jdbcUrl = jdbcUrl;
        counters = """
                with booked as (
                  select p.tx_id, p.wallet_id, p.position, p.accepted_at, e.id, e.booked_at
                  from %1$s as p left join %2$s as e using (tx_id)
                  where p.tx_id not like 'poison-%%'
                ), ordered as (
                  select *, max(position) over (partition by wallet_id order by id
                    rows between unbounded preceding and 1 preceding) as before
                  from booked where id is not null
                ), last as (
                  select wallet_id, max(position) as position from ordered group by wallet_id
                )
                select
                  (select count(*) from booked) as accepted,
                  (select count(*) from ordered) as booked,
                  (select count(*) from booked as b join last as l using (wallet_id)
                    where b.id is null and b.position < l.position) as lost,
                  (select count(*) - count(distinct tx_id) from %2$s) as doubled,
                  (select count(*) from ordered where position < before) as out_of_order,
                  (select count(*) from ordered where booked_at > clock_timestamp() - interval '1 second') as rate,
                  (select coalesce(round(1000 * avg(extract(epoch from booked_at - accepted_at))), 0) from ordered
                    where booked_at > clock_timestamp() - interval '1 second') as latency,
                  (select count(*) from %1$s as p left join %2$s as e using (tx_id)
                    where p.tx_id like 'poison-%%' and e.id is null) as poisoned
                """.formatted(installation.table("payment"), installation.table("ledger_entry"));
    }

    /** Reads by a connection of its own: a pool would wait for a database that is away, until it is back. */
    Map<String, Object> read() throws SQLException {
        try (var connection = DriverManager.getConnection(jdbcUrl)) {
            // Together, from one snapshot: what is booked between two reads would seem to be lost.
            return DSL.using(connection, SQLDialect.POSTGRES).transactionResult(tx -> {
                tx.dsl().execute("set transaction isolation level repeatable read read only");
                return read(tx.dsl());
            });
        }
    }

    private Map<String, Object> read(DSLContext tx) {
        var figures = new LinkedHashMap<String, Object>(tx.fetchSingle(counters).intoMap());
        figures.put(
                "wallets",
                rows(
                        tx,
                        "select wallet_id, balance_cents from " + installation.table("wallet")
                                + " order by length(wallet_id), wallet_id limit 20"));
        figures.put(
                "events",
                rows(
                        tx,
                        "select wallet_id || ' ' || kind || ' ' || amount_cents || ' ' || outcome, id from "
                                + installation.table("ledger_entry") + " order by id desc limit 12"));
        figures.put("archived", count(tx, "archived_event"));
        figures.put("fraudCases", count(tx, "fraud_case"));
        return figures;
    }

    private long count(DSLContext tx, String table) {
        return tx.fetchSingle("select count(*) from " + installation.table(table))
                .get(0, Long.class);
    }

    private static List<Map<String, Object>> rows(DSLContext tx, String sql) {
        return tx.fetch(sql).map(row -> Map.of("text", String.valueOf(row.get(0)), "number", row.get(1, Long.class)));
    }
}
