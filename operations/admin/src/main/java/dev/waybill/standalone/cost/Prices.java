package dev.waybill.standalone.cost;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Prices as the user has written them down.
 *
 * @param basic for a million operations; empty if the file has none, here as below
 * @param base of Standard, an hour
 * @param steps of Standard, in their order
 * @param unit a messaging unit of Premium, an hour
 * @param placeholder whether the file says that its prices are none
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

    /** Copies. */
    public Prices {
        steps = List.copyOf(steps);
    }

    /**
     * Reads prices.
     *
     * @throws dev.waybill.standalone.config.ConfigException naming everything that is wrong with them, with its
     *     line
     */
    public static Prices read(Path path) {
        YamlSection file = YamlSection.read(path);
        YamlSection basic = file.below("basic");
        YamlSection standard = file.below("standard");
        YamlSection premium = file.below("premium");
        // For the reader of the file.
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

    /** The price of Standard for a month. */
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

    /** From how many operations a month on Standard costs as much as something else; empty if never. */
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

    /**
     * The price of a million operations, up to a number of them in a month.
     *
     * @param upToMillion where the next step begins
     */
    public record Step(double upToMillion, double perMillion) {}
}
