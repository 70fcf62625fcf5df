package walletforge.wallet;

import dev.waybill.spring.MessageType;
import dev.waybill.spring.OutboxEvent;

/**
 * A wallet has another balance: an event of the topic, where each reader has a subscription of its own.
 *
 * @param cause what changed it, once: the id of a payment or of a step of a transfer
 */
@MessageType("WalletChanged")
@OutboxEvent(destination = "wallet-events", id = "'changed-' + cause", session = "wallet")
public record WalletChanged(String cause, String wallet, long cents, long balance) {}
