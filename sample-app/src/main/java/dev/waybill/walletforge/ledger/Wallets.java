package dev.waybill.walletforge.ledger;

import dev.waybill.walletforge.installation.Installation;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Reads wallets, limits and closes them. Thread-safe. */
public final class Wallets {
    private final DSLContext dsl;
    private final String table;

    public Wallets(Installation installation) {
        dsl = installation.dsl();
        table = installation.table("wallet");
    }

    /** The wallet, once something was booked on it or set for it. */
    public Optional<Wallet> find(String walletId) {
        String find = "select wallet_id, balance_cents, applied, declined, daily_limit_cents, closed from " + table
                + " where wallet_id = ?";
        return dsl.fetchOptional(find, walletId).map(row -> row.into(Wallet.class));
    }

    /** Limits all debits of a day together. */
    public void limit(String walletId, long cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("dailyLimitCents must not be negative");
        }
        set(walletId, "daily_limit_cents", cents);
    }

    /** Closes a wallet: from now on the ledger refuses all but refunds. */
    public void close(String walletId) {
        set(walletId, "closed", true);
    }

    private void set(String walletId, String column, Object value) {
        String set =
                "insert into %1$s (wallet_id, %2$s) values (?, ?) on conflict (wallet_id) do update set %2$s = excluded.%2$s";
        dsl.execute(set.formatted(table, column), walletId, value);
    }

    /** A wallet. Without a daily limit, that is null. */
    public record Wallet(
            String walletId,
            long balanceCents,
            long applied,
            long declined,
            @Nullable Long dailyLimitCents,
            boolean closed) {}
}
