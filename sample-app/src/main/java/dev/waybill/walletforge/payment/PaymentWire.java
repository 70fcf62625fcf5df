package dev.waybill.walletforge.payment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A payment's message: id and JSON body.
 *
 * <p>The id ends with the run, so that two runs over one queue do not take each other's payments for duplicates. A
 * colon near the end also keeps any {@code tx_id} clear of the form that Waybill reserves for re-drives.
 *
 * @param run eight characters that no other run uses
 */
public record PaymentWire(String run) {
    /** The queue. */
    public static final String QUEUE = "wallet-tx";

    /** Longest {@code tx_id} that leaves room for the run in a message id of at most 128 characters. */
    public static final int MAX_TX_ID = 119;

    /** Longest {@code wallet_id}: it is the session id. */
    public static final int MAX_WALLET_ID = 128;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The message's logical id. */
    public String messageId(Payment payment) {
        return payment.txId() + suffix();
    }

    /** Whether a message was sent by this run, and not left in the queue by another one. */
    public boolean isOurs(String messageId) {
        return messageId.endsWith(suffix());
    }

    /** The text that follows the {@code tx_id} in an id of this run. */
    public String suffix() {
        return ":" + run;
    }

    /** The payment's key in an id of this run. */
    public String txId(String messageId) {
        return messageId.substring(0, messageId.length() - suffix().length());
    }

    /** The message's subject. */
    public String subject(Payment payment) {
        return payment.kind() == Kind.CREDIT ? "WalletCredited" : "WalletDebited";
    }

    /** The message's body. */
    public String body(Payment payment) {
        ObjectNode body = JSON.createObjectNode()
                .put("position", payment.position())
                .put("txId", payment.txId())
                .put("walletId", payment.walletId())
                .put("kind", payment.kind().label())
                .put("amountCents", payment.amountCents());
        try {
            return JSON.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The payment of a body that {@link #body} wrote.
     *
     * @throws IllegalArgumentException if it says something else
     * @throws UncheckedIOException if it is no JSON
     */
    public Payment read(byte[] body) {
        try {
            JsonNode node = JSON.readTree(body);
            String kind = node.required("kind").asText();
            JsonNode amount = node.required("amountCents");
            if (!amount.isIntegralNumber()) {
                throw new IllegalArgumentException("The amount " + amount + " is no number of cents");
            }
            return new Payment(
                    node.required("position").asLong(),
                    node.required("txId").asText(),
                    node.required("walletId").asText(),
                    Kind.of(kind).orElseThrow(() -> new IllegalArgumentException("Unknown kind '" + kind + "'")),
                    amount.asLong());
        } catch (IOException e) {
            throw new UncheckedIOException("Not a payment", e);
        }
    }
}
