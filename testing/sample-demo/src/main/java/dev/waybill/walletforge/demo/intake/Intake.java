package dev.waybill.walletforge.demo.intake;

import dev.waybill.walletforge.payment.Payment;

/** What takes a payment in. Thread-safe. */
@FunctionalInterface
public interface Intake {
    /** Returns false for a resend, which has no effect. */
    boolean accept(Payment payment);
}
