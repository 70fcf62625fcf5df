package dev.waybill.standalone.cost;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The user's prices.
 *
 * @param basic for a million operations; empty if the file has none, as below
 * @param base of Standard, an hour
 * @param unit of Premium, an hour
 * @param placeholder whether the file declares its prices as examples
 */
public record Prices(
        String currency,
        OptionalDouble basic,
        OptionalDouble base,
        List<Step> steps,
        OptionalDouble unit,
        boolean placeholder) {
    private static final double MILLION = 1_000_000;
    private static final double MOST = 1e9;

    public Prices {
        steps = List.copyOf(steps);
    }

    /**
     * Reads prices.
     *
     * @throws dev.waybill.standalone.config.ConfigException naming every problem with its line
     */
    public static Prices read(Path path) {
        YamlSection file = YamlSection.read(path);
        YamlSection basic = file.below("basic");
        YamlSection standard = file.below("standard");
        YamlSection premium = file.below("premium");
        file.text("region", "");
        file.text("as-of", "");
        var prices = new Prices(
                file.text("currency", ""),
                basic.number("per-million", 0, MOST),
                standard.number("base-per-hour", 0, MOST),
                steps(standard),
                premium.number("unit-per-hour", 0, MOST),
                file.flag("placeholder", false));
        if (prices.base().isPresent() == prices.steps().isEmpty()) {
            file.problem("standard", "standard needs both base-per-hour and operations");
        }
        List.of(basic, standard, premium).forEach(YamlSection::end);
        file.refuse();
        return prices;
    }

    private static List<Step> steps(YamlSection standard) {
        var steps = new ArrayList<Step>();
        double before = 0;
        boolean ended = false;
        for (YamlSection each : standard.list("operations")) {
            double upTo = each.number("up-to-million", 0, MOST).orElse(Double.MAX_VALUE);
            OptionalDouble price = each.number("per-million", 0, MOST);
            if (price.isEmpty() && !each.has("per-million")) {
                each.problem("", "each of standard.operations needs per-million");
            }
            if (ended || upTo <= before) {
                each.problem("up-to-million", "standard.operations have to grow, and the last has no up-to-million");
            }
            ended = upTo == Double.MAX_VALUE;
            before = upTo;
            each.end();
            steps.add(new Step(upTo, price.orElse(0)));
        }
        if (!steps.isEmpty() && !ended) {
            standard.problem(
                    "operations", "the last of standard.operations has no up-to-million: it is for all beyond");
        }
        return steps;
    }

    double standard(double operations, double hours) {
        double millions = operations / MILLION;
        double cost = base.orElse(0) * hours;
        double from = 0;
        for (Step step : steps) {
            cost += Math.max(0, Math.min(millions, step.upToMillion()) - from) * step.perMillion();
            from = step.upToMillion();
        }
        return cost;
    }

    /** The monthly operations from which Standard reaches this price; empty if never. */
    OptionalDouble operationsFor(double price, double hours) {
        double left = price - base.orElse(0) * hours;
        double from = 0;
        for (Step step : steps) {
            double whole = (step.upToMillion() - from) * step.perMillion();
            if (left <= 0) {
                return OptionalDouble.of(from * MILLION);
            }
            if (step.perMillion() > 0 && whole >= left) {
                return OptionalDouble.of((from + left / step.perMillion()) * MILLION);
            }
            left -= whole;
            from = step.upToMillion();
        }
        return OptionalDouble.empty();
    }

    /** A price step; the next one begins at {@code upToMillion}. */
    public record Step(double upToMillion, double perMillion) {}
}
