package dev.waybill.servicebus.embedded.config;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue. A method with an argument returns a changed copy; one without reads the setting, except the two short forms
 * that switch it on. Immutable.
 */
public final class QueueOptions {
    /** The longest duration of Service Bus, about 10,675,199 days: no limit. */
    public static final Duration UNLIMITED = Duration.parse("P10675199DT2H48M5.4775807S");

    private boolean requiresSession;
    private boolean partitioned;
    private boolean deadLetterOnExpiration;
    private Duration lockDuration = Duration.ofMinutes(1);
    private int maxDeliveryCount = 10;
    private @Nullable Duration duplicateWindow;
    private Duration timeToLive = UNLIMITED;
    private Duration autoDeleteOnIdle = UNLIMITED;
    private long maxSizeBytes = 1024L * 1024 * 1024;
    private int maxMessageBytes;
    private ForwardAddress forwardTo = ForwardAddress.NONE;
    private ForwardAddress forwardDeadLettersTo = ForwardAddress.NONE;
    private EntityStatus status = EntityStatus.ACTIVE;
    private String userMetadata = "";

    private QueueOptions() {}

    /** The defaults: no sessions, no duplicate detection, locks of one minute, ten deliveries, no expiry. */
    public static QueueOptions defaults() {
        return new QueueOptions();
    }

    private QueueOptions with(Consumer<QueueOptions> change) {
        QueueOptions copy = new QueueOptions();
        copy.requiresSession = requiresSession;
        copy.partitioned = partitioned;
        copy.deadLetterOnExpiration = deadLetterOnExpiration;
        copy.lockDuration = lockDuration;
        copy.maxDeliveryCount = maxDeliveryCount;
        copy.duplicateWindow = duplicateWindow;
        copy.timeToLive = timeToLive;
        copy.autoDeleteOnIdle = autoDeleteOnIdle;
        copy.maxSizeBytes = maxSizeBytes;
        copy.maxMessageBytes = maxMessageBytes;
        copy.forwardTo = forwardTo;
        copy.forwardDeadLettersTo = forwardDeadLettersTo;
        copy.status = status;
        copy.userMetadata = userMetadata;
        change.accept(copy);
        return copy;
    }

    /** Requires a session id of every message; receivers accept sessions. Default: off. */
    public QueueOptions requiresSession() {
        return requiresSession(true);
    }

    public QueueOptions requiresSession(boolean required) {
        return with(copy -> copy.requiresSession = required);
    }

    /** How long a message or session lock lasts, 1 ms to 5 minutes. Default: 1 minute. */
    public QueueOptions lockDuration(Duration duration) {
        Checks.between("Lock duration", duration, Duration.ofMillis(1), Duration.ofMinutes(5));
        return with(copy -> copy.lockDuration = duration);
    }

    /** After how many failed deliveries a message is dead-lettered, 1 to 2000. Default: 10. */
    public QueueOptions maxDeliveryCount(int count) {
        Checks.between("Max delivery count", count, 1, 2000);
        return with(copy -> copy.maxDeliveryCount = count);
    }

    /** Drops a message whose id was seen within this window, 1 s to 7 days. Default: no duplicate detection. */
    public QueueOptions duplicateDetection(Duration window) {
        Checks.between("Duplicate detection window", window, Duration.ofSeconds(1), Duration.ofDays(7));
        return with(copy -> copy.duplicateWindow = window);
    }

    /** {@link #duplicateDetection}; null switches detection off. */
    public QueueOptions duplicateWindow(@Nullable Duration window) {
        return window == null ? with(copy -> copy.duplicateWindow = null) : duplicateDetection(window);
    }

    /** The longest time to live of a message, in addition to its own. Default: unlimited. */
    public QueueOptions timeToLive(Duration duration) {
        Checks.between("Time to live", duration, Duration.ofMillis(1), UNLIMITED);
        return with(copy -> copy.timeToLive = duration);
    }

    /** Dead-letters expired messages instead of deleting them. Default: off. */
    public QueueOptions deadLetterOnExpiration() {
        return deadLetterOnExpiration(true);
    }

    public QueueOptions deadLetterOnExpiration(boolean enabled) {
        return with(copy -> copy.deadLetterOnExpiration = enabled);
    }

    /** The entity's capacity in bytes; a send beyond it is rejected. Default: 1 GiB. */
    public QueueOptions maxSizeBytes(long bytes) {
        Checks.between("Max size", bytes, 1, Long.MAX_VALUE);
        return with(copy -> copy.maxSizeBytes = bytes);
    }

    /** The largest encoded message in bytes; 0 for the tier's limit. Default: 0. */
    public QueueOptions maxMessageBytes(int bytes) {
        Checks.between("Max message size", bytes, 0, 100 * 1024 * 1024);
        return with(copy -> copy.maxMessageBytes = bytes);
    }

    /** Forwards every message to another entity, given by its path or an address that ends with it; null for none. Default: off. */
    public QueueOptions forwardTo(@Nullable String entity) {
        ForwardAddress address = ForwardAddress.of(entity);
        return with(copy -> copy.forwardTo = address);
    }

    /** Forwards every dead letter to another entity, named as in {@link #forwardTo(String)}. Default: off. */
    public QueueOptions forwardDeadLettersTo(@Nullable String entity) {
        ForwardAddress address = ForwardAddress.of(entity);
        return with(copy -> copy.forwardDeadLettersTo = address);
    }

    /** Default: {@link EntityStatus#ACTIVE}. */
    public QueueOptions status(EntityStatus status) {
        return with(copy -> copy.status = status);
    }

    /** Enforces the rules of partitioned entities. Default: off. */
    public QueueOptions partitioned(boolean enabled) {
        return with(copy -> copy.partitioned = enabled);
    }

    /** Deletes the entity after this time without use; at least 5 minutes. Default: never. */
    public QueueOptions autoDeleteOnIdle(Duration duration) {
        Checks.between("Auto-delete-on-idle", duration, Duration.ofMinutes(5), UNLIMITED);
        return with(copy -> copy.autoDeleteOnIdle = duration);
    }

    /** A note for the administrator, at most 1,024 characters. Default: empty. */
    public QueueOptions userMetadata(String text) {
        Checks.between("Length of user metadata", text.length(), 0, 1024);
        return with(copy -> copy.userMetadata = text);
    }

    public boolean sessionRequired() {
        return requiresSession;
    }

    public Duration lockDuration() {
        return lockDuration;
    }

    public int maxDeliveryCount() {
        return maxDeliveryCount;
    }

    /** Null without duplicate detection. */
    public @Nullable Duration duplicateWindow() {
        return duplicateWindow;
    }

    public Duration timeToLive() {
        return timeToLive;
    }

    public boolean deadLettersExpired() {
        return deadLetterOnExpiration;
    }

    public long maxSizeBytes() {
        return maxSizeBytes;
    }

    public int maxMessageBytes() {
        return maxMessageBytes;
    }

    /** The target's path. */
    public @Nullable String forwardTo() {
        return forwardTo.path();
    }

    /** The target as given: a path or an address. */
    public @Nullable String forwardToAsGiven() {
        return forwardTo.given();
    }

    /** The target's path. */
    public @Nullable String forwardDeadLettersTo() {
        return forwardDeadLettersTo.path();
    }

    /** The target as given: a path or an address. */
    public @Nullable String forwardDeadLettersToAsGiven() {
        return forwardDeadLettersTo.given();
    }

    public EntityStatus status() {
        return status;
    }

    public boolean partitioned() {
        return partitioned;
    }

    public Duration autoDeleteOnIdle() {
        return autoDeleteOnIdle;
    }

    public String userMetadata() {
        return userMetadata;
    }
}
