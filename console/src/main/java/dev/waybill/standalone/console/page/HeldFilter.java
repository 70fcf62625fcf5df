package dev.waybill.standalone.console.page;

import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldSide;
import dev.waybill.standalone.console.access.Refusal;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which holds, as the address says it. */
record HeldFilter(HoldSide side, String scope, String reason, List<Long> ids) {
    private static final int MOST_IDS = 100;

    static HeldFilter of(Context request) {
        return new HeldFilter(
                HeldPages.side(Forms.parameter(request, "side")),
                Forms.parameter(request, "scope"),
                Forms.parameter(request, "reason"),
                ids(Forms.parameter(request, "ids")));
    }

    private static List<Long> ids(String text) {
        if (!text.matches("([0-9]{1,18}(\\.[0-9]{1,18})*)?")) {
            throw new Refusal(400, "Holds have numbers.");
        }
        List<Long> ids = Stream.of(text.split("\\."))
                .filter(each -> !each.isEmpty())
                .map(Long::valueOf)
                .distinct()
                .toList();
        if (ids.size() > MOST_IDS) {
            throw new Refusal(400, "At most " + MOST_IDS + " holds can be ticked.");
        }
        return ids;
    }

    /** The same of these holds only. */
    HeldFilter ticked(List<String> numbers) {
        return new HeldFilter(side, scope, reason, ids(String.join(".", numbers)));
    }

    HoldFilter filter() {
        return narrowed(HoldFilter.everything());
    }

    /** Those that somebody has to decide about. */
    HoldFilter parked() {
        return narrowed(HoldFilter.parked());
    }

    private HoldFilter narrowed(HoldFilter all) {
        HoldFilter filter = ids.isEmpty() ? all : all.ids(ids);
        filter = scope.isEmpty() ? filter : filter.scope(scope);
        return reason.isEmpty() ? filter : filter.reason(reason);
    }

    /** Whether it names more than a side. */
    public boolean isNarrowed() {
        return !(scope + reason).isEmpty() || !ids.isEmpty();
    }

    /** The side, as it stands in addresses. */
    public String sideWord() {
        return HeldPages.word(side);
    }

    /** As parameters of an address. */
    public String query() {
        return "side=" + sideWord() + "&scope=" + Shown.INSTANCE.url(scope) + "&reason=" + Shown.INSTANCE.url(reason)
                + "&ids=" + ids.stream().map(String::valueOf).collect(Collectors.joining("."));
    }
}
