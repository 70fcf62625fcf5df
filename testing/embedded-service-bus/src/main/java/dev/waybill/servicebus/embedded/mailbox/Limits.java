package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a broker, in bytes where nothing else is named.
 *
 * @param tier which features there are
 * @param messageBytes the largest message
 * @param batchBytes the largest batch
 * @param headBytes the largest properties and application properties of one message
 * @param idLength the longest message, session and partition id, in characters
 */
public record Limits(Tier tier, int messageBytes, int batchBytes, int headBytes, int idLength) {
    /** The limits of a tier. */
    public static Limits of(Tier tier) {
        return new Limits(tier, tier.messageBytes(), tier.batchBytes(), 64 * 1024, 128);
    }

    /** The same, with another largest message. */
    public Limits withMessageBytes(int bytes) {
        return new Limits(tier, bytes, Math.min(bytes, 1024 * 1024), headBytes, idLength);
    }

    /** Refuses a setting that the tier does not have. */
    public void requireWithinTier(String path, QueueOptions options) {
        String beyond = tier == Tier.BASIC ? beyondBasic(options) : null;
        if (beyond != null) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "SubCode=40000. The property '" + beyond + "' cannot be set on '" + path
                            + "' because the namespace is of 'Basic' tier.");
        }
    }

    /** Refuses if the tier has no transactions. */
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
