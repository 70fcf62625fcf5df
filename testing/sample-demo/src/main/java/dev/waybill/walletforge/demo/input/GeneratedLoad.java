package dev.waybill.walletforge.demo.input;

import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A load made from a seed: the same three numbers give the same payments on every machine.
 *
 * @param transactions distinct payments, besides about 3 % resends
 * @param wallets wallets that they are spread over, each used once before any is used twice
 */
public record GeneratedLoad(int transactions, int wallets, long seed) {
    private static final int RESENDS_PERCENT = 3;
    private static final int DEBITS_PERCENT = 45;
    private static final int OVERDRAFTS_PERCENT = 10;
    private static final int MAX_CENTS = 10_000;

    /** Checks the numbers. */
    public GeneratedLoad {
        if (transactions < 1 || wallets < 1) {
            throw new BadInputException("--transactions and --wallets must be at least 1");
        }
    }

    /** The payments. */
    public PaymentInput payments() {
        var random = new Random(seed);
        var lines = new ArrayList<Payment>();
        var sent = new ArrayList<Payment>(transactions);
        while (sent.size() < transactions) {
            var payment = payment(random, sent.size());
            sent.add(payment);
            lines.add(payment);
            if (random.nextInt(100) < RESENDS_PERCENT) {
                lines.add(sent.get(random.nextInt(sent.size())));
            }
        }
        return new PaymentInput(List.copyOf(lines), transactions);
    }

    private Payment payment(Random random, int number) {
        int wallet = number < wallets ? number : random.nextInt(wallets);
        Kind kind = random.nextInt(100) < DEBITS_PERCENT ? Kind.DEBIT : Kind.CREDIT;
        long cents = 1L + random.nextInt(MAX_CENTS);
        // No wallet gets near this amount by ordinary credits of a load of this size.
        boolean overdraft = kind == Kind.DEBIT && random.nextInt(100) < OVERDRAFTS_PERCENT;
        return new Payment(
                "tx-%07d".formatted(number + 1),
                "wallet-%05d".formatted(wallet + 1),
                kind,
                overdraft ? cents + (long) MAX_CENTS * transactions : cents);
    }
}
