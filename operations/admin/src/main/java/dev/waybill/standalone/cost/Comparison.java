package dev.waybill.standalone.cost;

import dev.waybill.standalone.cost.Load.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The cost of a bill in each tier, and the monthly operations from which Premium is cheaper. */
public record Comparison(List<Tier> tiers, OptionalDouble premiumPaysFrom) {
    private static final double STANDARD_BYTES = 256 * 1_024;
    private static final double STANDARD_CREDITS = 1_000;

    public Comparison {
        tiers = List.copyOf(tiers);
    }

    public static Comparison of(Bill bill, Optional<Prices> prices) {
        Load load = bill.load();
        double operations = bill.operations();
        var tiers = new ArrayList<Tier>();
        List<String> basicLacks = basicLacks(load);
        Optional<Double> basic =
                prices.filter(p -> basicLacks.isEmpty()).flatMap(p -> cost(p.basic(), operations / 1_000_000));
        tiers.add(new Tier("basic", operations, basic, basicLacks));
        tiers.add(new Tier(
                "standard",
                operations,
                prices.filter(p -> p.base().isPresent()).map(p -> p.standard(operations, load.hours())),
                standardLacks(bill)));
        Optional<Double> premium = prices.flatMap(p -> cost(p.unit(), load.hours() * load.units()));
        tiers.add(new Tier("premium", 0, premium, List.of()));
        OptionalDouble from = OptionalDouble.empty();
        if (premium.isPresent() && prices.get().base().isPresent()) {
            from = prices.get().operationsFor(premium.get(), load.hours());
        }
        return new Comparison(tiers, from);
    }

    private static Optional<Double> cost(OptionalDouble price, double times) {
        return price.isPresent() ? Optional.of(price.getAsDouble() * times) : Optional.empty();
    }

    private static List<String> basicLacks(Load load) {
        var lacks = new ArrayList<String>();
        if (load.traffic().stream().anyMatch(Traffic::topic)) {
            lacks.add("it has no topics");
        }
        if (load.traffic().stream()
                .flatMap(traffic -> traffic.receivers().stream())
                .anyMatch(receiver -> receiver.sessions().used())) {
            lacks.add("it has no sessions");
        }
        lacks.addAll(tooLarge(load));
        return lacks;
    }

    private static List<String> standardLacks(Bill bill) {
        var lacks = new ArrayList<>(tooLarge(bill.load()));
        if (bill.credits() > STANDARD_CREDITS) {
            lacks.add("it throttles above 1000 credits a second, and this is " + Math.round(bill.credits())
                    + " in the mean");
        }
        return lacks;
    }

    private static List<String> tooLarge(Load load) {
        return load.traffic().stream()
                .filter(traffic -> traffic.sending().bytes() > STANDARD_BYTES)
                .map(traffic -> "it takes no message above 256 KiB, as of " + traffic.destination())
                .toList();
    }

    public Tier tier(String name) {
        return tiers.stream()
                .filter(tier -> tier.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A tier: its monthly cost, if known, and why it does not support the load. */
    public record Tier(String name, double operations, Optional<Double> cost, List<String> lacks) {
        public Tier {
            lacks = List.copyOf(lacks);
        }
    }
}
