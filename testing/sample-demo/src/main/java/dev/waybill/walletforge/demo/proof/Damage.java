package dev.waybill.walletforge.demo.proof;

/**
 * The violations found; all zero in a run that holds.
 *
 * @param duplicatesApplied ledger entries beyond a payment's first
 * @param lost payments of the input without row, publication or ledger entry
 * @param outOfOrder publications and ledger entries that came after a later one of their wallet
 * @param wrongBalances wallets that differ from the sequential program's
 * @param overdrawn wallets below zero
 */
public record Damage(long duplicatesApplied, long lost, long outOfOrder, long wrongBalances, long overdrawn) {
    /** Whether nothing went wrong. */
    public boolean none() {
        return (duplicatesApplied | lost | outOfOrder | wrongBalances | overdrawn) == 0;
    }
}
