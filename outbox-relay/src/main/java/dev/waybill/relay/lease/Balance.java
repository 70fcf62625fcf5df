package dev.waybill.relay.lease;

import dev.waybill.relay.lease.Members.Destination;
import dev.waybill.relay.lease.Members.Relay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides which destinations a relay claims and releases. All relays compute the plan from the same tables; where they differ,
 * the claim decides. One instance makes one decision.
 *
 * <p>A free destination belongs to the serving relay that owns fewest. If that relay does not claim, the next one does after a
 * {@link #GRACE}, and so on. So a relay that hangs does not block a destination.
 *
 * <p>A relay releases a destination to one that owns at least two fewer. Each move lowers the sum of the squared shares, so
 * this ends with shares that differ by at most one.
 */
public final class Balance {
    /** The head start of each relay with a smaller share. */
    public static final Duration GRACE = Duration.ofMillis(500);

    private final Members members;
    private final UUID me;
    private final Map<UUID, Integer> shares = new HashMap<>();
    private final List<String> claims = new ArrayList<>();
    private final List<String> surplus = new ArrayList<>();

    private Balance(Members members, UUID me) {
        this.members = members;
        this.me = me;
        members.relays().forEach(relay -> shares.put(relay.id(), relay.owned()));
    }

    /** {@code held} is what the relay knows that it owns; it claims other rows under its id again. */
    public static Balance of(Members members, UUID me, Set<String> held) {
        var balance = new Balance(members, me);
        if (balance.shares.containsKey(me)) {
            balance.distribute(held);
            balance.giveUp(held);
        }
        return balance;
    }

    public List<String> claims() {
        return List.copyOf(claims);
    }

    /** Destinations to settle and then release, for relays with a smaller share. */
    public List<String> surplus() {
        return List.copyOf(surplus);
    }

    /** Owned destinations that the relay must not keep: they are being migrated, or their new entity is not supported. */
    public static List<String> withheld(Members members, UUID me) {
        boolean follows = members.relays().stream().anyMatch(relay -> relay.id().equals(me) && relay.follows());
        return members.destinations().stream()
                .filter(destination -> destination.owner().filter(me::equals).isPresent())
                .filter(destination ->
                        destination.moves() || (destination.entity().isPresent() && !follows))
                .map(Destination::name)
                .toList();
    }

    private void distribute(Set<String> held) {
        for (Destination destination : members.destinations()) {
            if (isMine(destination) && !held.contains(destination.name())) {
                claims.add(destination.name());
            } else if (destination.freeFor().toMillis() > 0 && !destination.moves()) {
                distribute(destination);
            }
        }
    }

    private void distribute(Destination destination) {
        List<UUID> order = servers(destination);
        int place = order.indexOf(me);
        if (place >= 0 && destination.freeFor().compareTo(GRACE.multipliedBy(place)) >= 0) {
            claims.add(destination.name());
        }
        if (!order.isEmpty()) {
            shares.merge(order.get(0), 1, Integer::sum);
        }
    }

    private void giveUp(Set<String> held) {
        for (Destination destination : members.destinations()) {
            if (isMine(destination) && held.contains(destination.name())) {
                giveUp(destination);
            }
        }
    }

    private void giveUp(Destination destination) {
        Optional<UUID> smallest = servers(destination).stream().findFirst();
        if (smallest.isPresent() && share(me) >= share(smallest.get()) + 2) {
            surplus.add(destination.name());
            shares.merge(me, -1, Integer::sum);
            shares.merge(smallest.get(), 1, Integer::sum);
        }
    }

    /** The relays that may own a destination, the smallest share first. */
    private List<UUID> servers(Destination destination) {
        return members.relays().stream()
                .filter(relay -> relay.serving().contains(destination.name()))
                .filter(relay -> relay.follows() || destination.entity().isEmpty())
                .map(Relay::id)
                .sorted(Comparator.<UUID>comparingInt(this::share).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private boolean isMine(Destination destination) {
        return destination.owner().filter(me::equals).isPresent();
    }

    private int share(UUID relay) {
        @Nullable Integer share = shares.get(relay);
        return share == null ? 0 : share;
    }
}
