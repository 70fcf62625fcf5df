package dev.waybill.servicebus.embedded.config;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue. A method that takes a value returns a copy with that setting changed; one that takes
 * none reads it, except for the two short forms that switch something on. Immutable.
 */
public final class QueueOptions {
    /** Without end: the longest duration that Service Bus knows, some 10,675,199 days. */
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

    /**
     * The defaults: no sessions, no duplicate detection, locks of one minute, ten deliveries, messages never
     * expire.
     */
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

    /** Every message needs a session id, and receivers accept whole sessions. Default: off. */
    public QueueOptions requiresSession() {
        return requiresSession(true);
    }

    /** See {@link #requiresSession()}. */
    public QueueOptions requiresSession(boolean required) {
        return with(copy -> copy.requiresSession = required);
    }

    /** How long a delivered message, or an accepted session, is locked; 1 ms to 5 minutes. Default: 1 minute. */
    public QueueOptions lockDuration(Duration duration) {
        Checks.between("Lock duration", duration, Duration.ofMillis(1), Duration.ofMinutes(5));
        return with(copy -> copy.lockDuration = duration);
    }

    /** After this many failed deliveries a message becomes a dead letter; 1 to 2000. Default: 10. */
    public QueueOptions maxDeliveryCount(int count) {
        Checks.between("Max delivery count", count, 1, 2000);
        return with(copy -> copy.maxDeliveryCount = count);
    }

    /** Drops a message whose id was seen within this window; 1 s to 7 days. Default: no duplicate detection. */
    public QueueOptions duplicateDetection(Duration window) {
        Checks.between("Duplicate detection window", window, Duration.ofSeconds(1), Duration.ofDays(7));
        return with(copy -> copy.duplicateWindow = window);
    }

    /** See {@link #duplicateDetection}; null switches detection off. */
    public QueueOptions duplicateWindow(@Nullable Duration window) {
        return window == null ? with(copy -> copy.duplicateWindow = null) : duplicateDetection(window);
    }

    /** How long a message lives at most, if it does not ask for less. Default: without limit. */
    public QueueOptions timeToLive(Duration duration) {
        Checks.between("Time to live", duration, Duration.ofMillis(1), UNLIMITED);
        return with(copy -> copy.timeToLive = duration);
    }

    /** Expired messages become dead letters instead of vanishing. Default: they vanish. */
    public QueueOptions deadLetterOnExpiration() {
        return deadLetterOnExpiration(true);
    }

    /** See {@link #deadLetterOnExpiration()}. */
    public QueueOptions deadLetterOnExpiration(boolean enabled) {
        return with(copy -> copy.deadLetterOnExpiration = enabled);
    }

    /** How much the entity may hold, in bytes; a send beyond it is refused. Default: 1 GiB. */
    public QueueOptions maxSizeBytes(long bytes) {
        Checks.between("Max size", bytes, 1, Long.MAX_VALUE);
        return with(copy -> copy.maxSizeBytes = bytes);
    }

    /** The largest message, encoded, in bytes; 0 means the limit of the broker's tier. Default: 0. */
    public QueueOptions maxMessageBytes(int bytes) {
        Checks.between("Max message size", bytes, 0, 100 * 1024 * 1024);
        return with(copy -> copy.maxMessageBytes = bytes);
    }

    /**
     * Passes every message on to another entity, named by its path or by an address that ends with its path; null
     * switches it off. Default: off.
     */
    public QueueOptions forwardTo(@Nullable String entity) {
        ForwardAddress address = ForwardAddress.of(entity);
        return with(copy -> copy.forwardTo = address);
    }

    /** Passes every dead letter on to another entity, named as in {@link #forwardTo(String)}. Default: off. */
    public QueueOptions forwardDeadLettersTo(@Nullable String entity) {
        ForwardAddress address = ForwardAddress.of(entity);
        return with(copy -> copy.forwardDeadLettersTo = address);
    }

    /** The status, which decides what clients may do. Default: {@link EntityStatus#ACTIVE}. */
    public QueueOptions status(EntityStatus status) {
        return with(copy -> copy.status = status);
    }

    /** Enforces the rules of partitioned entities. Default: off. */
    public QueueOptions partitioned(boolean enabled) {
        return with(copy -> copy.partitioned = enabled);
    }

    /** Deletes the entity after it was unused for this long; at least 5 minutes. Default: never. */
    public QueueOptions autoDeleteOnIdle(Duration duration) {
        Checks.between("Auto-delete-on-idle", duration, Duration.ofMinutes(5), UNLIMITED);
        return with(copy -> copy.autoDeleteOnIdle = duration);
    }

    /** A note kept for the administrator. Default: empty. */
    public QueueOptions userMetadata(String text) {
        Checks.between("Length of user metadata", text.length(), 0, 1024);
        return with(copy -> copy.userMetadata = text);
    }

    /** The value set by {@link #requiresSession(boolean)}. */
    public boolean sessionRequired() {
        return requiresSession;
    }

    /** The value set by {@link #lockDuration(Duration)}. */
    public Duration lockDuration() {
        return lockDuration;
    }

    /** The value set by {@link #maxDeliveryCount(int)}. */
    public int maxDeliveryCount() {
        return maxDeliveryCount;
    }

    /** The value set by {@link #duplicateDetection}, or null when there is no detection. */
    public @Nullable Duration duplicateWindow() {
        return duplicateWindow;
    }

    /** The value set by {@link #timeToLive(Duration)}. */
    public Duration timeToLive() {
        return timeToLive;
    }

    /** The value set by {@link #deadLetterOnExpiration(boolean)}. */
    public boolean deadLettersExpired() {
        return deadLetterOnExpiration;
    }

    /** The value set by {@link #maxSizeBytes(long)}. */
    public long maxSizeBytes() {
        return maxSizeBytes;
    }

    /** The value set by {@link #maxMessageBytes(int)}. */
    public int maxMessageBytes() {
        return maxMessageBytes;
    }

    /** The path of the entity set by {@link #forwardTo(String)}. */
    public @Nullable String forwardTo() {
        return forwardTo.path();
    }

    /** The argument of {@link #forwardTo(String)}: a path or an address. */
    public @Nullable String forwardToAsGiven() {
        return forwardTo.given();
    }

    /** The path of the entity set by {@link #forwardDeadLettersTo(String)}. */
    public @Nullable String forwardDeadLettersTo() {
        return forwardDeadLettersTo.path();
    }

    /** The argument of {@link #forwardDeadLettersTo(String)}: a path or an address. */
    public @Nullable String forwardDeadLettersToAsGiven() {
        return forwardDeadLettersTo.given();
    }

    /** The value set by {@link #status(EntityStatus)}. */
    public EntityStatus status() {
        return status;
    }

    /** The value set by {@link #partitioned(boolean)}. */
    public boolean partitioned() {
        return partitioned;
    }

    /** The value set by {@link #autoDeleteOnIdle(Duration)}. */
    public Duration autoDeleteOnIdle() {
        return autoDeleteOnIdle;
    }

    /** The value set by {@link #userMetadata(String)}. */
    public String userMetadata() {
        return userMetadata;
    }
}
