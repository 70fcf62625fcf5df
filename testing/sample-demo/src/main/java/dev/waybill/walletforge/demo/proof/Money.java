package dev.waybill.walletforge.demo.proof;

import java.math.BigInteger;
import java.util.List;

/**
 * Where the money is, in cents.
 *
 * @param declined debits above the balance
 * @param in credits applied
 * @param out debits applied
 * @param held sum of all balances
 */
public record Money(long declined, BigInteger in, BigInteger out, BigInteger held) {
    static Money of(Tables tables) {
        var applied = tables.entries().stream().filter(Tables.EntryRow::applied).toList();
        return new Money(
                tables.entries().size() - applied.size(),
                sum(applied.stream()
                        .filter(Tables.EntryRow::credit)
                        .map(Tables.EntryRow::cents)
                        .toList()),
                sum(applied.stream()
                        .filter(entry -> !entry.credit())
                        .map(Tables.EntryRow::cents)
                        .toList()),
                sum(tables.wallets().stream().map(Tables.WalletRow::cents).toList()));
    }

    /** Whether what came in is still there or went out. */
    public boolean balances() {
        return in.subtract(out).equals(held);
    }

    private static BigInteger sum(List<Long> cents) {
        return cents.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    }
}
