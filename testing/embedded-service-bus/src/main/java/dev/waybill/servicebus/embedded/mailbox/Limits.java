package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The broker's limits, in bytes unless stated.
 *
 * @param headBytes properties and application properties of one message
 * @param propertyBytes name and value of one application property
 * @param idLength characters of a message, session or partition id
 */
public record Limits(Tier tier, int messageBytes, int batchBytes, int headBytes, int propertyBytes, int idLength) {
    public static Limits of(Tier tier) {
        return new Limits(tier, tier.messageBytes(), tier.batchBytes(), 64 * 1024, 32 * 1024, 128);
    }

    public Limits withMessageBytes(int bytes) {
        return new Limits(tier, bytes, Math.min(bytes, 1024 * 1024), headBytes, propertyBytes, idLength);
    }

    /** Rejects settings that the tier lacks. */
    public void requireWithinTier(String path, QueueOptions options) {
        String beyond = tier == Tier.BASIC ? beyondBasic(options) : null;
        if (beyond != null) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "SubCode=40000. The property '" + beyond + "' cannot be set on '" + path
                            + "' because the namespace is of 'Basic' tier.");
        }
    }

    public void requireTransactions() {
        if (tier == Tier.BASIC) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "Transaction is unsupported because the namespace 'embedded' is of 'Basic' tier.");
        }
    }

    private static @Nullable String beyondBasic(QueueOptions options) {
        if (options.sessionRequired()) {
            return "RequiresSession";
        }
        if (options.duplicateWindow() != null) {
            return "RequiresDuplicateDetection";
        }
        if (options.forwardTo() != null) {
            return "ForwardTo";
        }
        if (isSet(options.autoDeleteOnIdle())) {
            return "AutoDeleteOnIdle";
        }
        return isSet(options.timeToLive()) ? "DefaultMessageTimeToLive" : null;
    }

    private static boolean isSet(Duration duration) {
        return duration.toDays() < QueueOptions.UNLIMITED.toDays();
    }
}
