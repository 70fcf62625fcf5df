package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.XmlDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads settings from a description. Settings that it omits stay unchanged. */
final class OptionsReader {
    private static final long MEGABYTE = 1024L * 1024;

    private final XmlElement description;

    OptionsReader(XmlElement description) {
        this.description = description;
    }

    QueueOptions read(QueueOptions before) {
        return behaviour(limits(before))
                .forwardTo(description.text("ForwardTo"))
                .forwardDeadLettersTo(description.text("ForwardDeadLetteredMessagesTo"));
    }

    private QueueOptions behaviour(QueueOptions before) {
        QueueOptions after = before;
        after = flag("RequiresSession", null) == null ? after : after.requiresSession(flag("RequiresSession", false));
        after = after.deadLetterOnExpiration(flag("DeadLetteringOnMessageExpiration", after.deadLettersExpired()));
        after = after.partitioned(flag("EnablePartitioning", after.partitioned()));
        String status = description.text("Status");
        after = status == null ? after : after.status(status(status));
        String metadata = description.text("UserMetadata");
        after = metadata == null ? after : after.userMetadata(metadata);
        Duration window = duration("DuplicateDetectionHistoryTimeWindow");
        boolean wasDetecting = after.duplicateWindow() != null;
        if (!flag("RequiresDuplicateDetection", wasDetecting)) {
            return after.duplicateWindow(null);
        }
        Duration fallback = after.duplicateWindow() == null ? Duration.ofMinutes(10) : after.duplicateWindow();
        return after.duplicateDetection(window == null ? fallback : window);
    }

    private QueueOptions limits(QueueOptions before) {
        QueueOptions after = before;
        Duration lock = duration("LockDuration");
        after = lock == null ? after : after.lockDuration(lock);
        Duration life = duration("DefaultMessageTimeToLive");
        after = life == null ? after : after.timeToLive(life);
        Duration idle = duration("AutoDeleteOnIdle");
        after = idle == null ? after : after.autoDeleteOnIdle(idle);
        Long deliveries = number("MaxDeliveryCount", Integer.MAX_VALUE);
        after = deliveries == null ? after : after.maxDeliveryCount(Math.toIntExact(deliveries));
        Long megabytes = number("MaxSizeInMegabytes", Long.MAX_VALUE / MEGABYTE);
        after = megabytes == null || megabytes == 0 ? after : after.maxSizeBytes(megabytes * MEGABYTE);
        Long kilobytes = number("MaxMessageSizeInKilobytes", Integer.MAX_VALUE / 1024);
        return kilobytes == null ? after : after.maxMessageBytes(Math.toIntExact(kilobytes * 1024));
    }

    private Boolean flag(String name, boolean otherwise) {
        Boolean value = flag(name, null);
        return value == null ? (Boolean) otherwise : value;
    }

    @Nullable Boolean flag(String name, @Nullable Boolean otherwise) {
        String value = description.text(name);
        return value == null ? otherwise : (Boolean) value.equalsIgnoreCase("true");
    }

    private @Nullable Long number(String name, long most) {
        String value = description.text(name);
        if (value == null) {
            return null;
        }
        try {
            long number = Long.parseLong(value);
            if (number > most) {
                throw new IllegalArgumentException(name + " is " + value + "; the most is " + most);
            }
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is no number: " + value, e);
        }
    }

    private @Nullable Duration duration(String name) {
        String value = description.text(name);
        try {
            return value == null ? null : XmlDuration.parse(value);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(name + " is no duration: " + value, e);
        }
    }

    private static EntityStatus status(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "disabled" -> EntityStatus.DISABLED;
            case "senddisabled" -> EntityStatus.SEND_DISABLED;
            case "receivedisabled" -> EntityStatus.RECEIVE_DISABLED;
            default -> EntityStatus.ACTIVE;
        };
    }
}
