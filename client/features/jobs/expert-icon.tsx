import {
  IconAdjustments,
  IconCode,
  IconReport,
  IconRobot,
  IconSparkles,
  IconZoomQuestion,
} from '@tabler/icons-react';

/** Icons that shipped experts name; any other name is drawn as a robot, so that the page need not bring all icons. */
const ICONS: Readonly<Record<string, typeof IconRobot>> = {
  adjustments: IconAdjustments,
  code: IconCode,
  report: IconReport,
  sparkles: IconSparkles,
  'zoom-question': IconZoomQuestion,
};

/** The icon of an expert in its colour; hidden from screen readers, as its name is beside it. */
export function ExpertIcon({
  expert,
  size = 20,
}: {
  readonly expert: { readonly icon: string; readonly color: string };
  readonly size?: number;
}) {
  const Icon = ICONS[expert.icon] ?? IconRobot;
  return <Icon size={size} color={expert.color} aria-hidden="true" style={{ flex: 'none' }} />;
}
