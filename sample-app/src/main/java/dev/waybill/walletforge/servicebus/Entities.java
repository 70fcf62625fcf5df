package dev.waybill.walletforge.servicebus;

/**
 * The names on the Service Bus.
 *
 * <p>{@code wallet-tx} requires sessions, one for each wallet, and detects duplicates. {@code wallet-events} has the
 * subscriptions {@code fraud} (SQL filter {@code amountCents >= 50000}), {@code notifications} (correlation filter
 * {@code audience = 'customer'}), {@code ledger-archive} (forwards to the queue {@code wallet-archive}) and {@code analytics}
 * (requires sessions).
 */
public final class Entities {
    public static final String WALLET_TX = "wallet-tx";
    public static final String WALLET_EVENTS = "wallet-events";
    public static final String FRAUD = "fraud";
    public static final String NOTIFICATIONS = "notifications";
    public static final String LEDGER_ARCHIVE = "ledger-archive";
    public static final String ANALYTICS = "analytics";
    public static final String ARCHIVE = "wallet-archive";
    public static final String STATEMENTS = "wallet-statements";

    /** The amount from which the fraud desk looks at a booking, in cents. */
    public static final long SUSPICIOUS_CENTS = 50_000;

    private Entities() {}
}
