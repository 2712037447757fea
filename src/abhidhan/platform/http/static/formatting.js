// Formats dates and numbers as the pages do. Few browsers have Assamese month names.
const MONTHS = {
  en: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
  as: ["জানুৱাৰী", "ফেব্ৰুৱাৰী", "মাৰ্চ", "এপ্ৰিল", "মে’", "জুন", "জুলাই", "আগষ্ট", "ছেপ্টেম্বৰ", "অক্টোবৰ", "নৱেম্বৰ", "ডিচেম্বৰ"],
};
const isAssamese = () => document.documentElement.lang === "as";
const two = (value) => String(value).padStart(2, "0");

export const inDigits = (text) => (isAssamese() ? text.replace(/\d/g, (digit) => "০১২৩৪৫৬৭৮৯"[digit]) : text);
export const number = (value) => inDigits(String(value));

export function moment(value) {
  const at = new Date(value);
  const month = MONTHS[isAssamese() ? "as" : "en"][at.getMonth()];
  return inDigits(`${at.getDate()} ${month}${isAssamese() ? "," : ""} ${at.getFullYear()}, ${two(at.getHours())}:${two(at.getMinutes())}`);
}
