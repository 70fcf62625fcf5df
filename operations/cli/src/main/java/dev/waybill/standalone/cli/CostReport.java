package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cost.Bill;
import dev.waybill.standalone.cost.Bill.Line;
import dev.waybill.standalone.cost.Comparison;
import dev.waybill.standalone.cost.Comparison.Tier;
import dev.waybill.standalone.cost.Prices;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints a bill for people or programs. */
record CostReport(Bill bill, Optional<Prices> prices, Comparison comparison) {
    Map<String, Object> json() {
        return Output.row(
                "messagesPerMonth", Math.round(bill.messages()),
                "operationsPerMessage", rounded(bill.perMessage(), 4),
                "operationsPerMonth", Math.round(bill.operations()),
                "sendsPerMonth", Math.round(bill.roundTrips()),
                "lines", bill.lines().stream().map(this::row).toList(),
                "currency", prices.map(Prices::currency),
                "tiers", comparison.tiers().stream().map(this::row).toList(),
                "premiumPaysFrom", paysFrom());
    }

    private Optional<Long> paysFrom() {
        return comparison.premiumPaysFrom().isPresent()
                ? Optional.of(Math.round(comparison.premiumPaysFrom().getAsDouble()))
                : Optional.empty();
    }

    private Map<String, Object> row(Line line) {
        return Output.row(
                "destination", line.destination(),
                "receiver", line.receiver(),
                "operation", line.kind().text(),
                "perMonth", Math.round(line.operations()),
                "documented", line.kind().documented());
    }

    private Map<String, Object> row(Tier tier) {
        return Output.row(
                "tier", tier.name(),
                "operations", Math.round(tier.operations()),
                "cost", tier.cost().map(cost -> rounded(cost, 2)),
                "lacks", tier.lacks());
    }

    void print(Output output) {
        output.table(bill.lines().stream().map(CostReport::words).toList(), "Nothing is sent.");
        output.say("");
        output.say("Messages a month: " + number(bill.messages()));
        output.say(
                "Operations for each message: " + rounded(bill.perMessage(), 2).toPlainString());
        output.say("Operations a month: " + number(bill.operations()));
        output.say("Sends a month: " + number(bill.roundTrips())
                + ". A larger batch makes them fewer, and the operations not: each message of a batch counts");
        output.say("");
        output.table(comparison.tiers().stream().map(this::words).toList(), "");
        output.say("");
        output.say(breakEven());
    }

    private static Map<String, Object> words(Line line) {
        return Output.row(
                "destination", line.destination(),
                "receiver", line.receiver(),
                "operation", line.kind().text(),
                "a month", number(line.operations()),
                "source", line.kind().documented() ? "pricing page" : "assumed");
    }

    private Map<String, Object> words(Tier tier) {
        String currency = prices.map(Prices::currency).orElse("");
        return Output.row(
                "tier", tier.name(),
                "billed operations", tier.name().equals("premium") ? "none: units" : number(tier.operations()),
                "a month",
                        tier.cost()
                                .map(cost -> (money(cost) + " " + currency).strip())
                                .orElse(tier.lacks().isEmpty() ? "no price" : ""),
                "does not fit", String.join("; ", tier.lacks()));
    }

    private String breakEven() {
        if (prices.isEmpty()) {
            return "When Premium pays: give --prices";
        }
        if (comparison.premiumPaysFrom().isEmpty()) {
            return "When Premium pays: not with these prices, or some are missing";
        }
        double from = comparison.premiumPaysFrom().getAsDouble();
        String times = bill.operations() == 0
                ? ""
                : ", " + rounded(from / bill.operations(), 2).toPlainString() + " times this load";
        return "When Premium pays: from " + number(from) + " operations a month, with "
                + bill.load().units() + (bill.load().units() == 1 ? " messaging unit" : " messaging units") + times;
    }

    private static BigDecimal rounded(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }

    private static String money(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
}
