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
 * Which destinations a relay claims and which it gives up. Nothing is agreed upon: each relay comes to the same plan from what it
 * reads, and the claim decides where their readings differ. Not thread-safe; made for one decision.
 *
 * <p>Free destinations go one by one to the relay that serves them and owns fewest. A relay claims its own part at once, and what
 * others have left lying once it has been free for a {@link #GRACE} for each relay that comes before it. So somebody who does
 * not claim, for whatever reason, keeps nothing from being published.
 *
 * <p>A relay gives up what it owns to one that owns at least two fewer. Each such move makes the sum of the squares of all
 * shares smaller, so it ends, and then shares of relays that serve the same differ by one at most. What no other relay serves is
 * never given up. A caller gives up at intervals of some seconds, so that one who does not claim costs little.
 */
public final class Balance {
    /** How long the relays with a smaller share are let go first. */
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

    /**
     * Decides for one relay.
     *
     * @param held what it knows to own; what its rows name beside these it claims again
     */
    public static Balance of(Members members, UUID me, Set<String> held) {
        var balance = new Balance(members, me);
        if (balance.shares.containsKey(me)) {
            balance.distribute(held);
            balance.giveUp(held);
        }
        return balance;
    }

    /** What to claim now. */
    public List<String> claims() {
        return List.copyOf(claims);
    }

    /** What to give up to relays with a smaller share: settle first, then release. */
    public List<String> surplus() {
        return List.copyOf(surplus);
    }

    /** What the relay owns and must not keep, because it moves to another entity or the relay does not follow it there. */
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
