package dev.waybill.servicebus.embedded.live;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.opentest4j.TestAbortedException;

/**
 * Writes the report of a live run. Every case that was found is in it: one that no event told of, because its class failed
 * before it, is reported as not run.
 */
public final class LiveReportListener implements TestExecutionListener {
    private @Nullable TestPlan plan;
    private @Nullable LiveReport report;
    private String namespace = "";
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        if (!LiveSettings.isLive(started.getConfigurationParameters()::get)) {
            return;
        }
        plan = started;
        namespace = LiveTarget.named(started.getConfigurationParameters()::get);
        report =
                LiveReport.at(Path.of(LiveSettings.given(started.getConfigurationParameters()::get, LiveSettings.REPORT)
                        .orElse("target/live-report.md")));
    }

    @Override
    public void executionSkipped(TestIdentifier skipped, String reason) {
        under(skipped, LiveReport.Outcome.NOT_APPLICABLE, reason);
    }

    @Override
    public void executionFinished(TestIdentifier finished, TestExecutionResult result) {
        if (finished.isTest()) {
            tell(finished, outcome(result), reason(result));
        } else if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            under(finished, LiveReport.Outcome.NOT_RUN, reason(result));
        } else if (isTemplate(finished)) {
            told.add(finished.getUniqueId());
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        if (report != null && plan != null) {
            for (TestIdentifier root : plan.getRoots()) {
                under(root, LiveReport.Outcome.NOT_RUN, "nothing was heard of it");
            }
            report.write(namespace);
        }
    }

    private void under(TestIdentifier container, LiveReport.Outcome outcome, String reason) {
        if (plan == null) {
            return;
        }
        if (container.isTest() || isTemplate(container)) {
            tell(container, outcome, reason);
        }
        plan.getChildren(container).forEach(child -> under(child, outcome, reason));
    }

    private void tell(TestIdentifier test, LiveReport.Outcome outcome, String reason) {
        if (report != null && told.add(test.getUniqueId())) {
            report.found(name(test), outcome, reason);
        }
    }

    /** A method that stands for several cases, which are known only once it runs. */
    private static boolean isTemplate(TestIdentifier container) {
        return container.isContainer()
                && container.getSource().filter(MethodSource.class::isInstance).isPresent();
    }

    private static LiveReport.Outcome outcome(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> LiveReport.Outcome.SAME;
            case ABORTED -> LiveReport.Outcome.NOT_APPLICABLE;
            case FAILED -> LiveReport.Outcome.DIFFERENT;
        };
    }

    private static String reason(TestExecutionResult result) {
        return result.getThrowable()
                .map(thrown -> thrown instanceof TestAbortedException
                        ? String.valueOf(thrown.getMessage())
                        : thrown.toString())
                .orElse("");
    }

    private static String name(TestIdentifier test) {
        String shown = test.getDisplayName().replaceAll("\\(.*\\)$", "");
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(method -> method.getClassName().replaceAll(".*\\.", "") + "#" + method.getMethodName()
                        + (shown.equals(method.getMethodName()) ? "" : " " + shown))
                .orElse(test.getUniqueId());
    }
}
