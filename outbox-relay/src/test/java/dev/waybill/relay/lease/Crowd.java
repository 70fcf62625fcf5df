package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.lease.Members.Destination;
import dev.waybill.relay.lease.Members.Relay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Relays that decide at random times from what they have read a little before, without a database. */
final class Crowd {
    private static final long STEP = 50;

    private final Random random;
    private final Map<String, Place> places = new TreeMap<>();
    private final List<Member> members = new ArrayList<>();
    private long now = 1_000_000;
    private int moves;

    Crowd(long seed) {
        random = new Random(seed);
        int count = 1 + random.nextInt(30);
        IntStream.range(0, count).forEach(i -> places.put("d%02d".formatted(i), new Place()));
    }

    /** Some die, some come. */
    void change() {
        members.removeIf(member -> random.nextInt(3) == 0);
        int more = random.nextInt(4);
        for (int i = 0; i < more; i++) {
            members.add(new Member(new UUID(random.nextLong(), random.nextLong()), someNames()));
        }
    }

    // Groups of relays that serve the same, and some that serve parts of it.
    private Set<String> someNames() {
        int kind = random.nextInt(3);
        return places.keySet().stream()
                .filter(name -> switch (kind) {
                    case 0 -> true;
                    case 1 -> name.hashCode() % 2 == 0;
                    default -> random.nextBoolean();
                })
                .collect(Collectors.toSet());
    }

    void live(Duration time) {
        for (long end = now + time.toMillis(); now < end; now += STEP) {
            for (Member member : members) {
                if (random.nextInt(8) == 0) {
                    member.read = read(member.serving);
                }
                if (random.nextInt(8) == 0) {
                    member.act();
                }
            }
        }
    }

    int moves() {
        return moves;
    }

    /** All that is served is owned, and shares of those that serve the same are as equal as can be. */
    void check() {
        places.forEach((name, place) -> {
            boolean served = members.stream().anyMatch(member -> member.serving.contains(name));
            assertThat(alive(place.owner)).as("%s is owned", name).isEqualTo(served);
        });
        for (Member one : members) {
            for (Member two : members) {
                if (one.serving.equals(two.serving)) {
                    assertThat(owned(one.id) - owned(two.id)).isBetween(-1, 1);
                }
            }
        }
    }

    private Members read(Set<String> names) {
        var relays = members.stream()
                .map(member -> new Relay(member.id, member.serving, true, owned(member.id)))
                .toList();
        var destinations = places.entrySet().stream()
                .filter(entry -> names.contains(entry.getKey()))
                .map(entry -> destination(entry.getKey(), entry.getValue()))
                .toList();
        return new Members(relays, destinations);
    }

    private Destination destination(String name, Place place) {
        long free = alive(place.owner) ? 0 : now - place.freeAt;
        return new Destination(
                name, Optional.ofNullable(place.owner), Duration.ofMillis(free), false, Optional.empty());
    }

    private boolean alive(@Nullable UUID id) {
        return members.stream().anyMatch(member -> member.id.equals(id));
    }

    private int owned(UUID id) {
        return (int) places.values().stream()
                .filter(place -> Objects.equals(place.owner, id))
                .count();
    }

    private static final class Place {
        @Nullable UUID owner;

        long freeAt;
    }

    private final class Member {
        final UUID id;
        final Set<String> serving;
        final Set<String> held = new HashSet<>();

        @Nullable Members read;

        long gaveUpAt;

        Member(UUID id, Set<String> serving) {
            this.id = id;
            this.serving = serving;
        }

        void act() {
            if (read == null) {
                return;
            }
            var balance = Balance.of(read, id, held);
            balance.claims().forEach(this::claim);
            if (now - gaveUpAt >= 2_000 && !balance.surplus().isEmpty()) {
                gaveUpAt = now;
                balance.surplus().forEach(this::release);
            }
            read = null;
        }

        private void claim(String name) {
            Place place = Objects.requireNonNull(places.get(name));
            if (!alive(place.owner) || id.equals(place.owner)) {
                place.owner = id;
                held.add(name);
                moves++;
            }
        }

        private void release(String name) {
            Place place = Objects.requireNonNull(places.get(name));
            if (held.remove(name) && id.equals(place.owner)) {
                place.owner = null;
                place.freeAt = now;
                moves++;
            }
        }
    }
}
