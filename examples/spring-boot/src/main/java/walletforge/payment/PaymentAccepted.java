package walletforge.payment;

import dev.waybill.spring.MessageType;

/** The ledger books it. Deposits have positive amounts, withdrawals negative ones. */
@MessageType("PaymentAccepted")
record PaymentAccepted(String payment, String wallet, long cents) {}
