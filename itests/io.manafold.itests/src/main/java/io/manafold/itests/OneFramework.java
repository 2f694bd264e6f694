package io.manafold.itests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;

/**
 * What such a test looks at is frames and messages, in which a framework has no part: Felix is enough unless the build
 * asks for both. Tests of what binds, is replaced, starts or stops run in each framework always.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(OneFramework.Felix.class)
public @interface OneFramework {

    /** Whether this is Felix, or both are asked for. */
    final class Felix implements ExecutionCondition {
        private static final String NAME = "org.apache.felix.framework";

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Boolean.getBoolean("manafold.both.frameworks")) {
                return ConditionEvaluationResult.enabled("both frameworks are asked for");
            }
            String here = FrameworkUtil.getBundle(Felix.class).getBundleContext()
                    .getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getSymbolicName();
            return here.equals(NAME) ? ConditionEvaluationResult.enabled("this is Felix")
                    : ConditionEvaluationResult.disabled("in Felix, and with -Plong here, too");
        }
    }
}
