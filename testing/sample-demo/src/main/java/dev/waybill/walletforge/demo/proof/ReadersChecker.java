package dev.waybill.walletforge.demo.proof;

import dev.waybill.walletforge.demo.installation.NamedInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.Record;

/** Recomputes transfers and what each reader of the events should have, by plain SQL and a loop. */
public final class ReadersChecker {
    private static final String LEGS = """
            select t.state, t.transfer_id,
              coalesce(string_agg(split_part(e.tx_id, ':', 1) || ' ' || e.outcome || ' ' || e.wallet_id || ' '
                || (e.amount_cents = t.amount_cents), ',' order by e.id), '') as legs,
              'transfer-debit applied ' || from_wallet || ' true' as debited,
              'transfer-debit declined ' || from_wallet || ' true' as declined,
              'transfer-credit applied ' || to_wallet || ' true' as credited,
              'transfer-credit declined ' || to_wallet || ' true' as refused,
              'transfer-refund applied ' || from_wallet || ' true' as refunded
            from %s as t left join %s as e
              on e.tx_id in ('transfer-debit:' || transfer_id, 'transfer-credit:' || transfer_id,
                'transfer-refund:' || transfer_id)
            group by t.transfer_id
            """;
    private static final String ARCHIVE = """
            select count(*) from %s as e full join %s as a on a.entry_id = e.id
            where e.id is null or a.entry_id is null or (a.body ->> 'outcome', a.body -> 'booking' ->> 'txId',
                (a.body -> 'booking' ->> 'amountCents')::bigint, (a.body ->> 'balanceAfter')::bigint, a.wallet_id,
                a.booked_at)
              is distinct from (e.outcome, e.tx_id, e.amount_cents, e.balance_after, e.wallet_id, e.booked_at)
            """;
    private static final String TOTALS = """
            select count(*) from (
              select (booked_at at time zone 'UTC')::date as day, kind, outcome, count(*) as entries,
                sum(amount_cents) as cents
              from %s group by 1, 2, 3) as e
            full join %s as t using (day, kind, outcome)
            where (e.entries, e.cents) is distinct from (t.entries, t.cents::numeric)
            """;
    private static final String FRAUD = """
            select count(*) from (select * from %s where amount_cents >= 50000) as e
            full join %s as f on f.entry_id = e.id
            where (e.id, e.amount_cents) is distinct from (f.entry_id, f.amount_cents)
            """;

    private final NamedInstallation run;
    private final Path mails;

    /** A checker of one run, whose mails are in this directory. */
    public ReadersChecker(NamedInstallation run, Path mails) {
        this.run = run;
        this.mails = mails;
    }

    /** Reads everything and judges it. The run must be over. */
    public Readers check() throws IOException {
        var ends = new HashMap<String, Long>();
        long wrong = 0;
        for (Record transfer : run.dsl().fetch(LEGS.formatted(run.table("transfer"), run.table("ledger_entry")))) {
            ends.merge(transfer.get("state", String.class), 1L, Long::sum);
            wrong += transfer.get("legs", String.class).equals(legs(transfer)) ? 0 : 1;
        }
        return new Readers(
                new Readers.Ends(
                        ends.getOrDefault("completed", 0L),
                        ends.getOrDefault("declined", 0L),
                        ends.getOrDefault("compensated", 0L)),
                wrong,
                wrongBalances(),
                count(ARCHIVE, "archived_event"),
                count(TOTALS, "daily_total"),
                others());
    }

    private static String legs(Record transfer) {
        return switch (transfer.get("state", String.class)) {
            case "completed" -> transfer.get("debited") + "," + transfer.get("credited");
            case "declined" -> transfer.get("declined", String.class);
            case "compensated" ->
                transfer.get("debited") + "," + transfer.get("refused") + "," + transfer.get("refunded");
            default -> "not at an end";
        };
    }

    // The order is the ledger's; what is right at each place in it is decided here once more.
    private long wrongBalances() {
        var balances = new HashMap<String, Long>();
        var wrong = new HashSet<String>();
        String entries = "select wallet_id, kind, amount_cents, outcome, balance_after, closed, tx_id from "
                + run.table("ledger_entry") + " join " + run.table("wallet") + " using (wallet_id)"
                + " where starts_with(wallet_id, ?) order by id";
        for (Record entry : run.dsl().fetch(entries, TransferWallets.prefix(run.name()))) {
            String wallet = entry.get(0, String.class);
            long before = balances.getOrDefault(wallet, 0L);
            boolean credit = entry.get(1, String.class).equals("credit");
            long cents = entry.get(2, Long.class);
            boolean applied = entry.get(6, String.class).startsWith("transfer-refund:")
                    || (!entry.get(5, Boolean.class) && (credit || cents <= before));
            long after = applied ? before + (credit ? cents : -cents) : before;
            balances.put(wallet, after);
            if (applied != entry.get(3, String.class).equals("applied") || after != entry.get(4, Long.class)) {
                wrong.add(wallet);
            }
        }
        return wrong.size() + differences(balances);
    }

    private long differences(Map<String, Long> balances) {
        var held = run.dsl()
                .fetch(
                        "select wallet_id, balance_cents from " + run.table("wallet")
                                + " where starts_with(wallet_id, ?)",
                        TransferWallets.prefix(run.name()))
                .intoMap(row -> row.get(0, String.class), row -> row.get(1, Long.class));
        return held.equals(balances) ? 0 : 1;
    }

    private Readers.Others others() throws IOException {
        List<String> declined = run.dsl()
                .fetch("select 'declined-' || id || '.eml' from " + run.table("ledger_entry")
                        + " where outcome = 'declined'")
                .getValues(0, String.class);
        Set<String> sent;
        try (var files = Files.list(mails)) {
            sent = files.map(file -> String.valueOf(file.getFileName())).collect(Collectors.toSet());
        }
        var different = new HashSet<>(declined);
        different.removeAll(sent);
        var unexpected = new HashSet<>(sent);
        unexpected.removeAll(new HashSet<>(declined));
        return new Readers.Others(
                run.dsl()
                        .fetchSingle("select count(*) from " + run.table("fraud_case"))
                        .get(0, Long.class),
                count(FRAUD, "fraud_case"),
                sent.size(),
                different.size() + unexpected.size());
    }

    private long count(String sql, String table) {
        return run.dsl()
                .fetchSingle(sql.formatted(run.table("ledger_entry"), run.table(table)))
                .get(0, Long.class);
    }
}
